#include "adapters/sql/invariants.hpp"

#include <algorithm>

#include "adapters/sql/database.hpp"

namespace crawler::adapters {
namespace {

using namespace sql;

InvariantRules all_invariants(const Dialect& dialect) {
    InvariantRules rules;
    for (auto& group : {task_invariants(), run_invariants(), outbox_invariants(dialect), raw_invariants(),
                        product_invariants(), seller_invariants(), identity_invariants(), queue_invariants()})
        rules.insert(rules.end(), group.begin(), group.end());
    return rules;
}

std::vector<ports::Invariants::Rule> described(const InvariantRules& rules) {
    std::vector<ports::Invariants::Rule> described;
    for (const auto& rule : rules) described.push_back({rule.name, rule.meaning});
    return described;
}

TimePoint moment_of(Moment moment, TimePoint now, const ports::Patience& patience) {
    switch (moment) {
        case Moment::lease_over:
            return now - patience.lease_over;
        case Moment::unpublished:
            return now - patience.unpublished;
        case Moment::run_without_progress:
            break;
    }
    return now - patience.run_without_progress;
}

// As a reader knows it: the name that was given to it, or the column's own.
std::string_view label_of(std::string_view column) {
    constexpr std::string_view as = " AS ";
    if (const auto at = column.rfind(as); at != std::string_view::npos) return column.substr(at + as.size());
    return column.substr(column.rfind('.') + 1);
}

bool is_time(std::string_view label) {
    return label.ends_with("_at") || label.ends_with("_until") || label == "lease_end";
}

std::string cell_text(Row& row, std::string_view label) {
    if (is_time(label)) {
        const auto time = row.optional_instant();
        return time ? to_rfc3339(*time) : "null";
    }
    return row.optional_text().value_or("null");
}

ports::Violation violation_of(const InvariantRule& rule, Row row) {
    ports::Violation violation{.rule = rule.name, .row = rule.table, .found = {}};
    for (const auto column : rule.key) violation.row.append(" ").append(cell_text(row, label_of(column)));
    for (const auto column : rule.shown) {
        const auto label = label_of(column);
        violation.found.append(violation.found.empty() ? "" : ", ").append(label).append(" is ");
        violation.found += cell_text(row, label);
    }
    return violation;
}

using Violations = std::vector<ports::Violation>;

Result<Violations> broken_in(Session& session, const InvariantRule& rule, Values values, int most) {
    Columns columns = rule.key;
    columns.insert(columns.end(), rule.shown.begin(), rule.shown.end());
    values.emplace_back(most);
    Violations found;
    for (auto& row : session.select(columns, rule.rest + " LIMIT ?", values))
        found.push_back(violation_of(rule, std::move(row)));
    return found;
}

class SqlInvariants final : public ports::Invariants {
  public:
    explicit SqlInvariants(SqlDatabase& database) : database_(database), rules_(all_invariants(database.dialect())) {}

    std::vector<Rule> rules() const override { return described(rules_); }

    Async<Result<Violations>> check(TimePoint now, ports::Patience patience, int most) override {
        Violations all;
        for (const auto& rule : rules_) {
            Values moments;
            for (const auto moment : rule.moments) moments.emplace_back(moment_of(moment, now, patience));
            auto body = [&rule, moments, most](Session& session) { return broken_in(session, rule, moments, most); };
            auto found = co_await database_.read(body);
            if (!found) co_return Error{found.error().code, rule.name + ": " + found.error().detail};
            std::ranges::move(*found, std::back_inserter(all));
        }
        co_return all;
    }

  private:
    SqlDatabase& database_;
    InvariantRules rules_;
};

}  // namespace

std::unique_ptr<ports::Invariants> make_sql_invariants(SqlDatabase& database) {
    return std::make_unique<SqlInvariants>(database);
}

std::vector<ports::Invariants::Rule> sql_invariant_rules() {
    const auto any = sql::make_dialect({});
    return described(all_invariants(*any));
}

}  // namespace crawler::adapters
