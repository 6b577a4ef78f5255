#include "adapters/sql/rule_rows.hpp"

namespace crawler::adapters::sql {

const Columns rule_columns{"name", "expression", "input", "enabled", "next_fire_at"};

PlannedRule planned_rule(Row row) {
    PlannedRule planned;
    planned.rule.name = row.text();
    planned.rule.expression = row.text();
    planned.rule.input = row.text();
    planned.rule.enabled = row.flag();
    planned.next_fire_at = row.instant();
    return planned;
}

Values row_of(const PlannedRule& planned) {
    const auto& rule = planned.rule;
    return {rule.name, rule.expression, rule.input, rule.enabled, planned.next_fire_at};
}

}  // namespace crawler::adapters::sql
