#include "adapters/sql/invariants.hpp"

namespace crawler::adapters::sql {

InvariantRules seller_invariants() {
    return {
        {"seller_without_schedule",
         "has no schedule",
         "sellers",
         {"seller_id"},
         {"status"},
         "FROM sellers WHERE NOT EXISTS (SELECT 1 FROM crawling_schedules schedule WHERE schedule.seller_id = "
         "sellers.seller_id)"},
        {"schedule_without_seller",
         "is of a seller that there is not",
         "crawling_schedules",
         {"id"},
         {"seller_id"},
         "FROM crawling_schedules WHERE NOT EXISTS (SELECT 1 FROM sellers seller WHERE seller.seller_id = "
         "crawling_schedules.seller_id)"},
        // A FAILED schedule fits both: its rule could not be put, or not be removed.
        {"seller_and_schedule_disagree",
         "is ACTIVE with an INACTIVE schedule, or the other way round",
         "sellers",
         {"sellers.seller_id"},
         {"sellers.status", "schedule.status AS schedule_status"},
         "FROM sellers JOIN crawling_schedules schedule ON schedule.seller_id = sellers.seller_id WHERE "
         "(sellers.status = 'ACTIVE' AND schedule.status = 'INACTIVE') OR "
         "(sellers.status = 'INACTIVE' AND schedule.status = 'ACTIVE')"},
    };
}

InvariantRules identity_invariants() {
    return {
        {"identity_suspended_for_ever",
         "is SUSPENDED until no time: it would never come back",
         "user_agents",
         {"id"},
         {"status", "suspended_at"},
         "FROM user_agents WHERE status = 'SUSPENDED' AND suspended_until IS NULL"},
        {"identity_health_out_of_range",
         "has a health that is not between 0 and 100",
         "user_agents",
         {"id"},
         {"health"},
         "FROM user_agents WHERE health < 0 OR health > 100"},
        {"ledger_answered_before_reserved",
         "was answered before it was reserved",
         "request_ledger",
         {"reservation"},
         {"reserved_at", "answered_at"},
         "FROM request_ledger WHERE answered_at < reserved_at"},
        {"ledger_answer_incomplete",
         "was answered without an outcome, or has one unanswered",
         "request_ledger",
         {"reservation"},
         {"answered_at", "outcome"},
         "FROM request_ledger WHERE (answered_at IS NOT NULL) <> (outcome IS NOT NULL)"},
    };
}

}  // namespace crawler::adapters::sql
