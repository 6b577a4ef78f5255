// What the checker finds: nothing in a healthy database, and each violation that somebody made by hand, under its rule.
#include <catch2/catch_template_test_macros.hpp>
#include <set>

#include "integration/healthy_world.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

using Fixtures = std::tuple<SqliteStores, MariaDbStores>;

struct Wound {
    std::string rule;
    std::string row;  // where it must be found
    std::vector<std::string> statements;
};

std::string task(const std::string& change, const std::string& id) {
    return "UPDATE crawler_tasks SET " + change + " WHERE id = '" + id + "'";
}
std::string run_row(const std::string& change, const std::string& id) {
    return "UPDATE crawling_schedule_executions SET " + change + " WHERE id = '" + id + "'";
}
std::string entry(const std::string& change, const std::string& id) {
    return "UPDATE crawl_task_outbox SET " + change + " WHERE id = '" + id + "'";
}
std::string raw(const std::string& change, const std::string& id) {
    return "UPDATE crawled_raw SET " + change + " WHERE id = '" + id + "'";
}

std::vector<Wound> task_wounds() {
    return {
        {"task_unpublished",
         "crawler_tasks t-waiting",
         {"DELETE FROM crawl_task_outbox WHERE id = 'o-t-waiting'", task("watch_at = 1", "t-waiting")}},
        {"task_published_without_entry",
         "crawler_tasks t-published",
         {"DELETE FROM crawl_task_outbox WHERE id = 'o-t-published'"}},
        {"task_published_never_sent",
         "crawler_tasks t-published",
         {entry("status = 'DEAD', done_at = NULL", "o-t-published"), task("watch_at = 1", "t-published")}},
        {"task_published_for_ever", "crawler_tasks t-published", {task("watch_at = 1", "t-published")}},
        {"task_lease_over", "crawler_tasks t-running", {task("lease_until = 1", "t-running")}},
        {"task_unleased", "crawler_tasks t-running", {task("lease_until = NULL", "t-running")}},
        {"task_leased_at_rest", "crawler_tasks t-done", {task("lease_until = 1", "t-done")}},
        {"task_open_unwatched", "crawler_tasks t-waiting", {task("watch_at = NULL", "t-waiting")}},
        {"task_watched_wrongly", "crawler_tasks t-running", {task("watch_at = watch_at + 1", "t-running")}},
        {"task_watched_wrongly", "crawler_tasks t-waiting", {task("watch_at = watch_at + 1", "t-waiting")}},
        {"task_ended_but_watched", "crawler_tasks t-done", {task("watch_at = 1", "t-done")}},
        {"task_ended_without_time", "crawler_tasks t-done", {task("completed_at = NULL", "t-done")}},
        {"task_open_with_end", "crawler_tasks t-waiting", {task("completed_at = 1", "t-waiting")}},
        {"task_twice_in_run",
         "crawler_tasks t-waiting",
         {task("request_digest = 'x'", "t-done"), task("request_digest = 'x'", "t-waiting")}},
        {"task_of_unknown_run", "crawler_tasks t-old", {"DELETE FROM crawling_schedule_executions WHERE id = 'e-2'"}},
    };
}

std::vector<Wound> run_wounds() {
    const std::string table = "crawling_schedule_executions ";
    return {
        {"run_counters_wrong", table + "e-1", {run_row("completed_tasks = completed_tasks + 1", "e-1")}},
        {"run_open_with_nothing_open", table + "e-2", {run_row("status = 'IN_PROGRESS'", "e-2")}},
        {"run_completed_with_open_tasks", table + "e-1", {run_row("status = 'COMPLETED'", "e-1")}},
        {"run_without_progress", table + "e-1", {run_row("updated_at = 1", "e-1")}},
        {"run_end_unclear", table + "e-2", {run_row("completed_at = NULL", "e-2")}},
        {"run_beside_another", table + "e-2", {run_row("status = 'IN_PROGRESS', seller_id = 'shop-1'", "e-2")}},
        {"run_never_concluded", table + "e-2", {run_row("conclude_at = NULL", "e-2")}},
        {"run_concluded_too_soon", table + "e-1", {run_row("conclude_at = 1", "e-1")}},
        {"run_unproven", table + "e-2", {run_row("completed_at = 1", "e-2")}},
        {"run_of_unknown_seller", table + "e-2", {run_row("seller_id = 'nobody'", "e-2")}},
    };
}

// `id` is that of an entry that waits.
std::vector<Wound> outbox_wounds(const std::string& prefix, const std::string& table, const std::string& id) {
    const auto change = [&](const std::string& what) {
        return std::vector{"UPDATE " + table + " SET " + what + " WHERE id = '" + id + "'"};
    };
    const auto row = table + " " + id;
    return {
        {prefix + "_misplaced", row, change("ready_at = ready_at + 1")},
        {prefix + "_misplaced", row, change("status = 'PROCESSING', lease_until = due_at + 1")},
        {prefix + "_starving", row, change("ready_at = 1, due_at = 1")},
        {prefix + "_key_twice",
         row,
         {"INSERT INTO " + table +
          " (id, subject, message_group, lane, payload, idempotency_key, status, attempt, retry_count, due_at, "
          "error_message, created_at, done_at) SELECT 'a-copy', subject, message_group, lane, payload, "
          "idempotency_key, 'SENT', 1, 0, due_at, '', created_at, due_at FROM " +
          table + " WHERE id = '" + id + "'"}},
        {prefix + "_lease_over", row, change("status = 'PROCESSING', lease_until = 1")},
        {prefix + "_lease_mismatch", row, change("status = 'PROCESSING'")},
        {prefix + "_not_in_line", row, change("waiting_lane = NULL")},
        {prefix + "_not_in_line", row, change("ready_at = NULL")},
        {prefix + "_done_in_line", row, change("status = 'SENT', done_at = 1")},
        {prefix + "_end_unclear", row, change("status = 'SENT', waiting_lane = NULL, ready_at = NULL")},
    };
}

std::vector<Wound> product_wounds() {
    return {
        {"task_outbox_of_unknown_task", "crawl_task_outbox o-t-waiting", {entry("subject = 'nobody'", "o-t-waiting")}},
        {"product_outbox_of_unknown_product",
         "product_outbox p-4",
         {"UPDATE product_outbox SET subject = '4712' WHERE id = 'p-4'"}},
        {"raw_misplaced", "crawled_raw r-wait", {raw("ready_at = ready_at + 1", "r-wait")}},
        {"raw_misplaced", "crawled_raw r-wait", {raw("lease_until = fetched_at + 1", "r-wait")}},
        {"raw_misplaced", "crawled_raw r-wait", {raw("waiting_lane = 'shop-2'", "r-wait")}},
        {"raw_not_in_line", "crawled_raw r-wait", {raw("waiting_lane = NULL", "r-wait")}},
        {"raw_done_in_line", "crawled_raw r-old", {raw("waiting_lane = 'shop-1'", "r-old")}},
        {"raw_lease_over", "crawled_raw r-wait", {raw("lease_until = 1", "r-wait")}},
        {"raw_starving", "crawled_raw r-wait", {raw("ready_at = 1", "r-wait")}},
        {"raw_never_purged", "crawled_raw r-old", {raw("done_at = NULL", "r-old")}},
        {"raw_purged_too_soon", "crawled_raw r-listing", {raw("done_at = 1", "r-listing")}},
        {"product_live_without_facets", "products 4711", {"DELETE FROM product_raw_data WHERE kind = 'OPTION'"}},
        {"product_status_unproved", "products 4711", {"UPDATE products SET gone_at = 9000000000000000"}},
        {"product_status_unproved", "products 4711", {"UPDATE products SET missing_before_at = 9000000000000000"}},
        {"product_status_unproved", "products 4711", {"UPDATE products SET status = 'INCOMPLETE'"}},
        {"facet_ahead_of_product", "product_raw_data 4711 DETAIL", {"UPDATE products SET version = 0"}},
        {"facet_without_product", "product_raw_data 4711 DETAIL", {"DELETE FROM products"}},
        {"facet_without_answer", "product_raw_data 4711 DETAIL", {"DELETE FROM crawled_raw WHERE id = 'r-detail'"}},
        {"history_ahead_of_product",
         "product_history 4711 99",
         {"UPDATE product_history SET version = 99 WHERE version = 1"}},
    };
}

std::vector<Wound> seller_wounds() {
    return {
        {"seller_without_schedule", "sellers shop-1", {"DELETE FROM crawling_schedules"}},
        {"schedule_without_seller", "crawling_schedules schedule-shop-1", {"DELETE FROM sellers"}},
        {"schedule_failed_without_reason",
         "crawling_schedules schedule-shop-1",
         {"UPDATE crawling_schedules SET status = 'FAILED'"}},
        {"schedule_order_dead",
         "crawling_schedules schedule-shop-1",
         {"UPDATE scheduler_outbox SET status = 'DEAD', waiting_lane = NULL, ready_at = NULL"}},
        {"seller_and_schedule_disagree", "sellers shop-1", {"UPDATE crawling_schedules SET status = 'INACTIVE'"}},
        {"seller_and_schedule_disagree", "sellers shop-1", {"UPDATE sellers SET status = 'INACTIVE'"}},
        {"identity_suspended_for_ever", "user_agents ua-2", {"UPDATE user_agents SET suspended_until = NULL"}},
        {"identity_health_out_of_range", "user_agents ua-1", {"UPDATE user_agents SET health = 101 WHERE id = 'ua-1'"}},
        {"identity_out_of_line", "user_agents ua-1", {"UPDATE user_agents SET wakes_at = NULL, ready_lane = NULL"}},
        {"identity_in_line_blocked",
         "user_agents ua-1",
         {"UPDATE user_agents SET status = 'BLOCKED' WHERE id = 'ua-1'"}},
        {"identity_illness_wrong", "user_agents ua-1", {"UPDATE user_agents SET illness = 7 WHERE id = 'ua-1'"}},
        {"identity_lease_over",
         "user_agents ua-1",
         {"UPDATE user_agents SET reservation = 's-2', lent_until = 1, wakes_at = 2 WHERE id = 'ua-1'"}},
        {"identity_loan_unledgered",
         "user_agents ua-1",
         {"UPDATE user_agents SET reservation = 'nowhere', lent_until = 9000000000000000 WHERE id = 'ua-1'"}},
        {"identity_loan_unledgered",
         "user_agents ua-1",
         {"UPDATE user_agents SET reservation = 'nowhere.0', lent_until = 9000000000000000 WHERE id = 'ua-1'",
          "DELETE FROM request_ledger WHERE identity_id = 'ua-1' AND answered_at IS NULL"}},
        {"identity_loan_unledgered",
         "user_agents ua-1",
         {"UPDATE user_agents SET reservation = 'nowhere.0#0001', lent_until = 9000000000000000 WHERE id = 'ua-1'"}},
        {"pool_counts_wrong", "identity_pool identities", {"UPDATE identity_pool SET available = 7"}},
        {"pool_counts_wrong", "identity_pool identities", {"UPDATE identity_pool SET total = 7"}},
        {"breaker_without_end", "identity_pool identities", {"UPDATE identity_pool SET breaker = 'OPEN'"}},
        {"breaker_without_end", "identity_pool identities", {"UPDATE identity_pool SET breaker = 'HALF_OPEN'"}},
        {"ledger_latest_wrong",
         "request_ledger s-1",
         {"UPDATE request_ledger SET latest_at = 1 WHERE reservation = 's-1'"}},
        {"ledger_answered_before_reserved",
         "request_ledger s-1",
         {"UPDATE request_ledger SET answered_at = 1 WHERE reservation = 's-1'"}},
        {"ledger_answer_incomplete",
         "request_ledger s-1",
         {"UPDATE request_ledger SET outcome = NULL WHERE reservation = 's-1'"}},
    };
}

std::string message(const std::string& change, const std::string& body) {
    return "UPDATE queue_messages SET " + change + " WHERE body = '" + body + "'";
}

std::vector<Wound> queue_wounds() {
    return {
        {"queue_message_beside_its_group", "queue_messages a2", {message("visible_at = 1", "a2")}},
        {"queue_message_beside_its_group", "queue_messages a1", {message("head_of = NULL", "a1")}},
        {"queue_message_out_of_line", "queue_messages a2", {"DELETE FROM queue_messages WHERE body = 'a1'"}},
        {"queue_message_out_of_line", "queue_messages a1", {message("visible_at = NULL", "a1")}},
        {"queue_message_out_of_line", "queue_messages loose", {message("visible_at = NULL", "loose")}},
        {"queue_message_overtaken",
         "queue_messages a1",
         {message("head_of = NULL, visible_at = NULL", "a1"), message("head_of = 'a', visible_at = 1", "a2")}},
        {"queue_message_held_unreceived", "queue_messages loose", {message("is_held = 1", "loose")}},
        {"queue_message_received_too_often", "queue_messages loose", {message("receive_count = 1001", "loose")}},
        {"queue_dead_letter_alive",
         "queue_dead_letters poison",
         {"UPDATE queue_dead_letters SET seq = (SELECT MIN(seq) FROM queue_messages)"}},
        {"schedule_rule_overdue",
         "schedule_rules mustit-crawler-shop-1",
         {"UPDATE schedule_rules SET next_fire_at = 1"}},
    };
}

std::vector<Wound> all_wounds() {
    std::vector<Wound> wounds;
    for (const auto& group :
         {task_wounds(), run_wounds(), outbox_wounds("task_outbox", "crawl_task_outbox", "o-t-waiting"),
          outbox_wounds("scheduler_outbox", "scheduler_outbox", "order-shop-1"),
          outbox_wounds("product_outbox", "product_outbox", "p-4"), product_wounds(), seller_wounds(), queue_wounds()})
        wounds.insert(wounds.end(), group.begin(), group.end());
    return wounds;
}

template <class World>
std::vector<ports::Violation> check(World& w, int most = 100) {
    const auto found = w.run(w.invariants->check(t0 + 10min, {}, most));
    INFO((found ? "" : found.error().detail));
    REQUIRE(found);
    return *found;
}

template <class World>
void execute(World& w, const std::vector<std::string>& statements) {
    auto body = [&](adapters::sql::Session& session) -> Result<> {
        for (const auto& statement : statements) {
            INFO(statement);
            REQUIRE(session.execute(statement) > 0);
        }
        return {};
    };
    REQUIRE(w.run(w.database->transact(body)));
}

// Messages are numbered by the database; a wound names them by their body.
template <class World>
std::string row_of(World& w, const Wound& wound) {
    if (!wound.row.starts_with("queue_")) return wound.row;
    const auto space = wound.row.find(' ');
    const auto table = wound.row.substr(0, space);
    auto body = [&](adapters::sql::Session& session) -> Result<std::string> {
        return session.select_one({"seq"}, "FROM " + table + " WHERE body = ?", {wound.row.substr(space + 1)})->text();
    };
    return table + " " + *w.run(w.database->read(body));
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("db check: a database that the stores made has no violation", "[integration][invariants]",
                        Fixtures) {
    TestType w;
    make_healthy(w);

    for (const auto& violation : check(w))
        FAIL_CHECK(violation.rule << ": " << violation.row << ": " << violation.found);
}

TEMPLATE_LIST_TEST_CASE("db check: each violation is found under its rule, at its row", "[integration][invariants]",
                        Fixtures) {
    for (const auto& wound : all_wounds()) {
        DYNAMIC_SECTION(wound.rule << " by " << wound.statements.back()) {
            TestType w;
            make_healthy(w);
            execute(w, wound.statements);

            const auto found = check(w);

            const auto row = row_of(w, wound);
            const auto is_it = [&](const auto& v) { return v.rule == wound.rule && v.row == row; };
            CHECK(std::ranges::count_if(found, is_it) == 1);
        }
    }
}

TEST_CASE("db check: every rule has a violation that these tests make", "[integration][invariants]") {
    std::set<std::string> wounded;
    for (const auto& wound : all_wounds()) wounded.insert(wound.rule);

    std::set<std::string> rules;
    for (const auto& rule : adapters::sql_invariant_rules()) {
        CHECK(rules.insert(rule.name).second);
        CHECK_FALSE(rule.meaning.empty());
    }

    CHECK(rules == wounded);
}

TEMPLATE_LIST_TEST_CASE("db check: says in words what it found, and when", "[integration][invariants]", Fixtures) {
    TestType w;
    make_healthy(w);
    execute(w, {task("lease_until = 1, watch_at = 1", "t-running")});

    const auto found = check(w);

    REQUIRE(found.size() == 1);
    CHECK(found.front().found == "status is IN_PROGRESS, lease_until is 1970-01-01T00:00:00.000001Z");
}

TEMPLATE_LIST_TEST_CASE("db check: of each rule no more than so many are told", "[integration][invariants]", Fixtures) {
    TestType w;
    make_healthy(w);
    execute(
        w, {"UPDATE user_agents SET health = 101", "UPDATE request_ledger SET answered_at = 1, outcome = 'SUCCEEDED'"});

    CHECK(check(w, 1).size() == 2);
    CHECK(check(w, 2).size() == 4);
}

TEMPLATE_LIST_TEST_CASE("db check: what is late is a violation only when patience is at its end",
                        "[integration][invariants]", Fixtures) {
    TestType w;
    make_healthy(w);
    execute(w, {task("watch_at = 1, updated_at = 1", "t-published")});

    const ports::Patience endless{
        .lease_over = 1'000'000h, .unpublished = 1'000'000h, .run_without_progress = 1'000'000h};
    CHECK(w.run(w.invariants->check(t0, endless, 10))->empty());
}
