#include "adapters/sql/invariants.hpp"
#include "adapters/sql/outbox_rows.hpp"

namespace crawler::adapters::sql {
namespace {

struct Outbox {
    std::string prefix;  // of the names of its rules
    std::string table;
    Moment patience;  // for what is due
};

InvariantRule of_outbox(const Outbox& outbox, const std::string& name, std::string meaning, Columns shown,
                        const std::string& condition, std::vector<Moment> moments = {}) {
    return {outbox.prefix + name, std::move(meaning),
            outbox.table,         {"id"},
            std::move(shown),     "FROM " + outbox.table + " WHERE " + condition,
            std::move(moments)};
}

InvariantRule key_twice(const Outbox& outbox) {
    return {outbox.prefix + "_key_twice",
            "has the idempotency key of an older entry: one of the two would never arrive",
            outbox.table,
            {"id"},
            {"status", "twice.used_key AS idempotency_key"},
            "FROM " + outbox.table + " JOIN (SELECT idempotency_key AS used_key, MIN(id) AS oldest FROM " +
                outbox.table + " GROUP BY idempotency_key HAVING COUNT(*) > 1) twice ON twice.used_key = " +
                outbox.table + ".idempotency_key AND twice.oldest <> " + outbox.table + ".id"};
}

// What is unsent stands in line, and what is in line is unsent: the line is short, so these are quick however much was sent.
// DEAD entries are no violation: an operator sees them, and brings them back or not.
InvariantRules line_of(const Outbox& outbox) {
    return {
        of_outbox(outbox, "_misplaced", "stands in line at another time than it is due, or its lease ends",
                  {"status", "ready_at", "due_at", "lease_until"},
                  "waiting_lane IS NOT NULL AND status IN ('PENDING', 'PROCESSING', 'FAILED') AND "
                  "ready_at <> COALESCE(lease_until, due_at)"),
        of_outbox(outbox, "_starving", "could have been claimed for too long", {"status", "ready_at"},
                  "waiting_lane IS NOT NULL AND ready_at < ?", {outbox.patience}),
        key_twice(outbox),
        of_outbox(outbox, "_lease_over", "is PROCESSING though its lease is over", {"status", "lease_until"},
                  "waiting_lane IS NOT NULL AND status = 'PROCESSING' AND lease_until < ?", {Moment::lease_over}),
        of_outbox(outbox, "_lease_mismatch", "is PROCESSING without a lease, or has one at rest",
                  {"status", "lease_until"},
                  "waiting_lane IS NOT NULL AND (status = 'PROCESSING') <> (lease_until IS NOT NULL)"),
        of_outbox(outbox, "_not_in_line", "is unsent and not in line, or in another's: no claim would ever find it",
                  {"status", "lane", "waiting_lane", "ready_at"},
                  "done_at IS NULL AND status IN ('PENDING', 'PROCESSING', 'FAILED') AND (waiting_lane IS NULL OR "
                  "ready_at IS NULL OR waiting_lane <> lane)"),
        of_outbox(outbox, "_done_in_line", "is done with and still in line: it would be claimed",
                  {"status", "waiting_lane", "ready_at"}, "waiting_lane IS NOT NULL AND status IN ('SENT', 'DEAD')"),
        of_outbox(outbox, "_end_unclear", "was SENT at no time, so that it is never purged, or has such a time unsent",
                  {"status", "done_at"}, "(status = 'SENT') <> (done_at IS NOT NULL)"),
    };
}

}  // namespace

InvariantRules outbox_invariants(const Dialect& dialect) {
    const Outbox tasks{"task_outbox", std::string(task_outbox_table), Moment::unpublished};
    const Outbox schedules{"scheduler_outbox", std::string(scheduler_outbox_table), Moment::unpublished};
    const Outbox products{"product_outbox", std::string(product_outbox_table), Moment::run_without_progress};
    InvariantRules rules;
    for (const auto& outbox : {tasks, schedules, products}) {
        const auto more = line_of(outbox);
        rules.insert(rules.end(), more.begin(), more.end());
    }
    // Of a sent one the task may have been purged.
    rules.push_back(
        of_outbox(tasks, "_of_unknown_task", "would publish a task that there is not", {"status", "subject"},
                  "waiting_lane IS NOT NULL AND NOT EXISTS (SELECT 1 FROM crawler_tasks task WHERE task.id = " +
                      dialect.ascii("crawl_task_outbox.subject") + ")"));
    rules.push_back(of_outbox(products, "_of_unknown_product", "tells of a product that there is not",
                              {"status", "subject"},
                              "waiting_lane IS NOT NULL AND NOT EXISTS (SELECT 1 FROM products product WHERE "
                              "product.item_no = CAST(product_outbox.subject AS SIGNED))"));
    return rules;
}

}  // namespace crawler::adapters::sql
