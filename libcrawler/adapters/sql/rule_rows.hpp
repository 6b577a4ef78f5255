// Schedule rules as rows, for the store that an operator's changes go to and for the scheduler that fires them.
#pragma once
#include "adapters/sql/session.hpp"
#include "domain/firing.hpp"

namespace crawler::adapters::sql {

extern const Columns rule_columns;
PlannedRule planned_rule(Row row);
Values row_of(const PlannedRule& planned);

}  // namespace crawler::adapters::sql
