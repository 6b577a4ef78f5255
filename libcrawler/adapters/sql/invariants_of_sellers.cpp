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
        {"schedule_failed_without_reason",
         "has FAILED and does not say why, or says why though it has not",
         "crawling_schedules",
         {"id"},
         {"status", "failure_reason"},
         "FROM crawling_schedules WHERE (status = 'FAILED') <> (failure_reason <> '')"},
        // Whatever changed the schedule since wrote an order of its own, later than this one.
        {"schedule_order_dead",
         "has not FAILED though its latest order died: its rule is not as it should be",
         "crawling_schedules",
         {"id"},
         {"status", "updated_at"},
         "FROM crawling_schedules WHERE status <> 'FAILED' AND EXISTS (SELECT 1 FROM scheduler_outbox dead WHERE "
         "dead.subject = crawling_schedules.seller_id AND dead.status = 'DEAD' AND dead.created_at >= "
         "crawling_schedules.updated_at)"},
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
        {"identity_out_of_line",
         "is not BLOCKED, and neither ready nor resting: the pool would never look at it again",
         "user_agents",
         {"id"},
         {"status"},
         "FROM user_agents WHERE status <> 'BLOCKED' AND ready_lane IS NULL AND wakes_at IS NULL"},
        {"identity_in_line_blocked",
         "is BLOCKED and still in line",
         "user_agents",
         {"id"},
         {"ready_lane", "wakes_at"},
         "FROM user_agents WHERE status = 'BLOCKED' AND (ready_lane IS NOT NULL OR wakes_at IS NOT NULL)"},
        {"identity_illness_wrong",
         "stands in line with a health that is not its own",
         "user_agents",
         {"id"},
         {"health", "illness"},
         "FROM user_agents WHERE illness <> 100 - health AND health BETWEEN 0 AND 100"},
        // While nobody asks nobody is given back, and nobody misses them.
        {"identity_lease_over",
         "was lent, its lease is long over, and the pool that looked since has not taken it back",
         "user_agents",
         {"id"},
         {"reservation", "lent_until"},
         "FROM user_agents WHERE lent_until < ? AND wakes_at < ? AND EXISTS (SELECT 1 FROM identity_pool pool WHERE "
         "pool.seen_at > user_agents.wakes_at + 600000000)",
         {Moment::lease_over, Moment::lease_over}},
        {"identity_loan_unledgered",
         "is lent with a reservation that is not in the ledger",
         "user_agents",
         {"id"},
         {"reservation"},
         // Of a block, which is lent as a whole and whose requests are numbered behind a '#', one request at least is open.
         "FROM user_agents WHERE reservation IS NOT NULL AND NOT EXISTS (SELECT 1 FROM request_ledger entry WHERE "
         "entry.reservation = user_agents.reservation) AND (reservation NOT LIKE '%.%' OR reservation LIKE '%#%' OR "
         "NOT EXISTS (SELECT 1 FROM request_ledger entry WHERE entry.identity_id = user_agents.id AND "
         "entry.answered_at IS NULL))"},
        {"pool_counts_wrong",
         "has counted its identities wrong: the breaker goes by that",
         "identity_pool",
         {"name"},
         {"available", "total"},
         "FROM identity_pool WHERE available IS NOT NULL AND (available <> (SELECT COUNT(*) FROM user_agents WHERE "
         "status "
         "= 'AVAILABLE') OR total <> (SELECT COUNT(*) FROM user_agents))"},
        {"breaker_without_end",
         "is OPEN until no time, or HALF_OPEN without the lease of a probe",
         "identity_pool",
         {"name"},
         {"breaker"},
         "FROM identity_pool WHERE (breaker = 'OPEN') <> (breaker_open_until IS NOT NULL) OR "
         "(breaker = 'HALF_OPEN') <> (probe_until IS NOT NULL)"},
        {"ledger_answered_before_reserved",
         "was answered before it was reserved",
         "request_ledger",
         {"reservation"},
         {"reserved_at", "answered_at"},
         "FROM request_ledger WHERE answered_at < reserved_at"},
        {"ledger_answer_incomplete",
         "was answered without an outcome, or has one that is an answer unanswered",
         "request_ledger",
         {"reservation"},
         {"answered_at", "outcome"},
         "FROM request_ledger WHERE (answered_at IS NOT NULL) <> (outcome IS NOT NULL AND outcome <> 'UNANSWERED')"},
        {"ledger_latest_wrong",
         "counts for the host until before it was answered, or before its lease was over",
         "request_ledger",
         {"reservation"},
         {"answered_at", "latest_at"},
         "FROM request_ledger WHERE latest_at < COALESCE(answered_at, lease_end) AND latest_at < lease_end"},
    };
}

}  // namespace crawler::adapters::sql
