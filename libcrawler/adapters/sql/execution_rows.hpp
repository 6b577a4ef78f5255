// Runs as rows, for the stores whose steps count in them.
#pragma once
#include "adapters/sql/session.hpp"
#include "domain/execution.hpp"

namespace crawler::adapters::sql {

extern const Columns execution_columns;  // those that a run is read from
CrawlingScheduleExecution execution_of(Row row);
// not_found: there is no such run.
Result<CrawlingScheduleExecution> load_execution(Session& session, const ExecutionId& id, ForUpdate lock);
// The run of the seller that is STARTED or IN_PROGRESS.
std::optional<CrawlingScheduleExecution> find_open_execution(Session& session, const SellerId& seller, ForUpdate lock);
void insert_execution(Session& session, const CrawlingScheduleExecution& execution);
// One revision on; the row is locked, or was never seen by anybody else.
void update_execution(Session& session, const CrawlingScheduleExecution& execution);

}  // namespace crawler::adapters::sql
