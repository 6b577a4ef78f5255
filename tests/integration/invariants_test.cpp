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
        {"task_ended_but_watched", "crawler_tasks t-done", {task("watch_at = 1", "t-done")}},
        {"task_ended_without_time", "crawler_tasks t-done", {task("completed_at = NULL", "t-done")}},
        {"task_open_with_end", "crawler_tasks t-waiting", {task("completed_at = 1", "t-waiting")}},
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
        {"seller_and_schedule_disagree", "sellers shop-1", {"UPDATE crawling_schedules SET status = 'INACTIVE'"}},
        {"seller_and_schedule_disagree", "sellers shop-1", {"UPDATE sellers SET status = 'INACTIVE'"}},
        {"identity_suspended_for_ever", "user_agents ua-2", {"UPDATE user_agents SET suspended_until = NULL"}},
        {"identity_health_out_of_range", "user_agents ua-1", {"UPDATE user_agents SET health = 101 WHERE id = 'ua-1'"}},
        {"ledger_answered_before_reserved",
         "request_ledger s-1",
         {"UPDATE request_ledger SET answered_at = 1 WHERE reservation = 's-1'"}},
        {"ledger_answer_incomplete",
         "request_ledger s-1",
         {"UPDATE request_ledger SET outcome = NULL WHERE reservation = 's-1'"}},
    };
}

std::vector<Wound> all_wounds() {
    std::vector<Wound> wounds;
    for (const auto& group :
         {task_wounds(), run_wounds(), outbox_wounds("task_outbox", "crawl_task_outbox", "o-t-waiting"),
          outbox_wounds("scheduler_outbox", "scheduler_outbox", "order-shop-1"),
          outbox_wounds("product_outbox", "product_outbox", "p-4"), product_wounds(), seller_wounds()})
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

            const auto is_it = [&](const auto& v) { return v.rule == wound.rule && v.row == wound.row; };
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
    execute(w, {task("lease_until = 1", "t-running")});

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
    execute(w, {"UPDATE crawler_tasks SET watch_at = 1 WHERE id = 't-published'"});

    const ports::Patience endless{
        .lease_over = 1'000'000h, .unpublished = 1'000'000h, .run_without_progress = 1'000'000h};
    CHECK(w.run(w.invariants->check(t0, endless, 10))->empty());
}
