// The request ledger as rows, for the ledger itself and for the transaction that ends a task.
#pragma once
#include "adapters/sql/session.hpp"
#include "ports/request_ledger.hpp"

namespace crawler::adapters::sql {

// False: there is no such reservation. The first answer holds.
bool stamp_ledger(Session& session, const ports::LedgerStamp& stamp);

}  // namespace crawler::adapters::sql
