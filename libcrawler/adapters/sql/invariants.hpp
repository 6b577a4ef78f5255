// The rules that `crawlerctl db check` holds the tables against. Each is one statement, which a database answers from one moment: what
// others commit meanwhile makes no false alarm.
#pragma once
#include <string>
#include <vector>

#include "adapters/sql/session.hpp"

namespace crawler::adapters::sql {

// What a rule compares times with: so long before now, by the caller's patience.
enum class Moment { lease_over, unpublished, run_without_progress };

struct InvariantRule {
    std::string name;
    std::string meaning;  // what is wrong with a row that it finds
    std::string table;
    Columns key;
    Columns shown;                     // columns, or "expression AS name"
    std::string rest;                  // FROM ... WHERE ...: the rows that break it
    std::vector<Moment> moments = {};  // one for each `?`
};
using InvariantRules = std::vector<InvariantRule>;

InvariantRules task_invariants();
InvariantRules run_invariants();
InvariantRules outbox_invariants(const Dialect& dialect);
InvariantRules raw_invariants();
InvariantRules product_invariants();
InvariantRules seller_invariants();
InvariantRules identity_invariants();
InvariantRules queue_invariants();

}  // namespace crawler::adapters::sql
