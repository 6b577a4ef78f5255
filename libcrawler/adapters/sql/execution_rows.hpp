// Runs as rows, for the stores whose steps count in them.
#pragma once
#include "adapters/sql/session.hpp"
#include "domain/execution.hpp"

namespace crawler::adapters::sql {

enum class ForUpdate { no, yes };
// not_found: there is no such run.
Result<CrawlingScheduleExecution> load_execution(Session& session, const ExecutionId& id, ForUpdate lock);
void insert_execution(Session& session, const CrawlingScheduleExecution& execution);
// One revision on; the row is locked, or was never seen by anybody else.
void update_execution(Session& session, const CrawlingScheduleExecution& execution);

}  // namespace crawler::adapters::sql
