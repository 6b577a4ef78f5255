// The request ledger as rows, for the ledger itself, for the identity pool and for the transaction that ends a task.
#pragma once
#include "adapters/sql/session.hpp"
#include "ports/request_ledger.hpp"

namespace crawler::adapters::sql {

// False: there is no such reservation. The first answer holds.
bool stamp_ledger(Session& session, const ports::LedgerStamp& stamp);
// `guard`: how long after its lease a request without an answer may still arrive.
void insert_in_ledger(Session& session, const ports::LedgerEntry& entry, Duration guard);
// That no answer came in time is no answer: it may have arrived at any time until its lease was over.
void note_unanswered(Session& session, const std::string& reservation);

}  // namespace crawler::adapters::sql
