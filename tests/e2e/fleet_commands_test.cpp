// What crawlerctl shows of a fleet, from a SQLite database that the test fills.
#include <boost/json.hpp>
#include <catch2/catch_test_macros.hpp>

#include "contract/fixtures/seed.hpp"
#include "contract/fixtures/sql.hpp"
#include "e2e/daemon_under_test.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

bool says(const std::string& text, const std::string& part) {
    INFO(text);
    return text.find(part) != std::string::npos;
}

struct Fleet : SqliteStores {
    Finished ctl(std::vector<std::string> arguments) const {
        arguments.insert(arguments.end(), {"--database", place.url()});
        return run_program(program("crawlerctl"), {.arguments = std::move(arguments)});
    }
    boost::json::value json_of(std::vector<std::string> arguments) const {
        arguments.emplace_back("--json");
        const auto finished = ctl(std::move(arguments));
        REQUIRE(finished.exit_code == 0);
        return boost::json::parse(finished.out);
    }

    // e-1, proven: of 5 announced items 4 were seen, one of them is gone and one failed.
    void prove_a_run() {
        start_run(*this, "e-1", {a_running_task("t-1"), a_running_task("t-2").asking(a_detail_url(4712))});
        auto good = this->run(tasks->load(TaskId{"t-1"}));
        REQUIRE(good->complete(t0 + 90s));
        REQUIRE(this->run(tasks->finish({.task = *good, .raws = {}, .follow_ups = {}, .outbox = {}})));
        auto bad = this->run(tasks->load(TaskId{"t-2"}));
        REQUIRE(bad->fail(ErrorClass::permanent, "HTTP 400: 잘못된 요청", RetryPolicy{}, t0 + 90s));
        REQUIRE(this->run(tasks->finish({.task = *bad, .raws = {}, .follow_ups = {}, .outbox = {}})));
        auto run = this->run(executions->find(ExecutionId{"e-1"}));
        const auto item = [](ItemNo number, FacetOutcome detail) {
            return ItemFacts{.item = number, .listed = true, .detail = detail, .option = FacetOutcome::present};
        };
        const auto proof =
            CompletenessProof::of(5, {item(4711, FacetOutcome::present), item(4712, FacetOutcome::failed),
                                      item(4713, FacetOutcome::gone), item(4714, FacetOutcome::present)});
        REQUIRE(run->prove(*proof, t0 + 100s));
        REQUIRE(this->run(conclusions->conclude(*run)));
    }
};

}  // namespace

TEST_CASE("crawlerctl run show: spells out what is proven of a run, and why it is not whole") {
    Fleet fleet;
    fleet.prove_a_run();

    const auto shown = fleet.ctl({"run", "show", "e-1"});

    CHECK(shown.exit_code == 0);
    CHECK(says(shown.out, "run e-1 of shop-1: COMPLETED\n"));
    CHECK(says(shown.out, "took      1m 30s\n"));
    CHECK(says(shown.out, "2 tasks, 1 completed, 1 failed: 100.0 % done, 50.0 % of that well\n"));
    CHECK(says(shown.out, "announced  5\n"));
    CHECK(says(shown.out, "seen       4\n"));
    CHECK(says(shown.out, "complete   2\n"));
    CHECK(says(shown.out, "missing    1 NEVER_LISTED\n"));
    CHECK(says(shown.out, "missing    1 DETAIL_FAILED: 4712\n"));
    CHECK(says(shown.out, "missing    1 GONE (explained): 4713\n"));
    CHECK(says(shown.out, "whole      no: 1 NEVER_LISTED, 1 DETAIL_FAILED\n"));
    CHECK(says(shown.out, "PRODUCT_DETAIL  FAILED  PERMANENT  HTTP 400: 잘못된 요청\n"));
}

TEST_CASE("crawlerctl run show: of a run that is open nothing is proven") {
    Fleet fleet;
    start_run(fleet, "e-1", {a_task("t-1")});

    const auto shown = fleet.ctl({"run", "show", "e-1"});

    CHECK(says(shown.out, "IN_PROGRESS"));
    CHECK(says(shown.out, "not proven yet: the run is not over"));
    CHECK(says(shown.out, "0.0 % done"));
}

TEST_CASE("crawlerctl run show: a run that there is not is exit code 1") {
    const Fleet fleet;

    const auto shown = fleet.ctl({"run", "show", "e-9"});

    CHECK(shown.exit_code == 1);
    CHECK(shown.err == "crawlerctl: there is no run e-9\n");
}

TEST_CASE("crawlerctl run show --json: has the proof with every missing item") {
    Fleet fleet;
    fleet.prove_a_run();

    const auto run = fleet.json_of({"run", "show", "e-1"}).as_object();

    CHECK(run.at("proof").at("announced").as_int64() == 5);
    CHECK_FALSE(run.at("proof").at("whole").as_bool());
    CHECK(run.at("proof").at("missing").at("NEVER_LISTED").as_int64() == 1);
    CHECK(run.at("missingItems").as_array().size() == 2);
    CHECK(run.at("missingItems").at(0).at("itemNo").as_int64() == 4712);
    CHECK(run.at("tasks").as_array().size() == 2);
}

TEST_CASE("crawlerctl run list: the newest first, of all sellers or of one") {
    Fleet fleet;
    CHECK(fleet.ctl({"run", "list"}).out == "no run\n");
    fleet.prove_a_run();
    start_run(fleet, "e-2", {a_task("t-9", "e-2")});

    const auto all = fleet.ctl({"run", "list"});

    CHECK(all.exit_code == 0);
    CHECK(all.out.find("e-2") < all.out.find("e-1"));
    CHECK(says(all.out, "2 of 5\n"));
    CHECK(fleet.ctl({"run", "list", "--seller", "shop-2"}).out == "no run\n");
    CHECK(fleet.json_of({"run", "list", "--seller", "shop-1", "--limit", "1"}).as_array().size() == 1);
}

TEST_CASE("crawlerctl status --once: one picture of runs, outboxes and answers") {
    Fleet fleet;
    put_raws(fleet, {a_raw("r-1")}, "e-over");
    CrawlerTask task = a_task("t-1");
    const auto entry = task.publication(OutboxId{"o-1"}, t0);
    start_run(fleet, "e-1", {task}, {entry});

    const auto status = fleet.ctl({"status", "--once"});

    CHECK(status.exit_code == 0);
    CHECK(says(status.out, "e-1  shop-1  IN_PROGRESS  [........................]"));
    CHECK(says(status.out, "over lately"));
    CHECK(says(status.out, "oldest unsent"));
    CHECK(says(status.out, "oldest waiting"));
    CHECK_FALSE(says(status.out, "\x1b"));
    const auto json = fleet.json_of({"status", "--once"});
    CHECK(json.at("answers").at("pending").as_int64() == 1);
    CHECK(json.at("outboxes").at(0).at("pending").as_int64() == 1);
    CHECK(json.at("openRuns").at(0).at("id").as_string() == "e-1");
}

TEST_CASE("crawlerctl status: tells what is left of the identities' budget, by the rules of the configuration") {
    const Fleet fleet;
    REQUIRE(fleet.ctl({"agents", "import", "--builtin"}).exit_code == 0);
    const TempDir folder;
    const auto file = folder.write(
        "worker.yaml", "database: {url: \"" + fleet.place.url() + "\"}\npool: {limit: 3, ceiling: {per_hour: 120}}\n");

    const auto usual = fleet.json_of({"status", "--once"}).at("pool").as_object();
    const auto configured =
        run_program(program("crawlerctl"), {.arguments = {"status", "--once", "--json", "-c", file}});

    CHECK(usual.at("total").as_int64() == 50);
    CHECK(usual.at("available").as_int64() == 50);
    CHECK(usual.at("budgetLeft").as_int64() == 50 * 80);
    CHECK(usual.at("leftThisHour").as_int64() == 4000);
    REQUIRE(configured.exit_code == 0);
    const auto pool = boost::json::parse(configured.out).at("pool").as_object();
    CHECK(pool.at("budgetLeft").as_int64() == 50 * 3);
    CHECK(pool.at("leftThisHour").as_int64() == 120);
    CHECK(says(fleet.ctl({"status", "--once"}).out, "budget left"));
}

TEST_CASE("crawlerctl status: a run that was given up is among those that are over") {
    Fleet fleet;
    start_run(fleet, "e-1", {a_task("t-1")});
    const auto seller = fleet.run(fleet.sellers->find(seller_id("shop-1")));
    auto next = CrawlingScheduleExecution::begin(ExecutionId{"e-2"}, seller_id("shop-1"), t0 + 60s);
    REQUIRE(next.tasks_created(1, t0 + 60s));
    ports::NewRun run{*seller, next, {a_task("t-2", "e-2")}, {}, t0 + 1us};
    REQUIRE(fleet.run(fleet.executions->start(std::move(run))));

    const auto over = fleet.json_of({"status", "--once"}).at("recentRuns").as_array();

    REQUIRE(over.size() == 1);
    CHECK(over.at(0).at("id").as_string() == "e-1");
    CHECK(over.at(0).at("status").as_string() == "FAILED");
}

TEST_CASE("crawlerctl status: where it is not a terminal the pictures follow each other as plain lines") {
    const Fleet fleet;

    const auto status = fleet.ctl({"status", "--pictures", "2", "--interval-ms", "1"});

    CHECK(status.exit_code == 0);
    CHECK(says(status.out.substr(status.out.find('\n')), "crawler fleet, "));
    CHECK_FALSE(says(status.out, "\x1b"));
}

TEST_CASE("crawlerctl product show: facets, versions and history; exit code 1 for one that nobody has seen") {
    Fleet fleet;
    CHECK(fleet.ctl({"product", "show", "4711"}).exit_code == 1);
    put_raws(fleet, {a_raw("r-1")});
    auto raw = claim_raw(fleet);
    REQUIRE(raw.mark_processed());
    const ports::ProductChange change{
        4711, 3, raw.state().id, t0, FieldDiff({{"/listing/price", "1000", "900"}}), ProductEventType::updated};
    REQUIRE(fleet.run(fleet.products->absorb(
        {.raw = raw, .products = {a_product().complete(t0)}, .history = {change}, .events = {}, .melted = {}})));

    const auto shown = fleet.ctl({"product", "show", "4711"});

    CHECK(shown.exit_code == 0);
    CHECK(says(shown.out, "product 4711 of shop-1: LIVE, version 3\n"));
    CHECK(says(shown.out, "LISTING"));
    CHECK(says(shown.out, "PRODUCT_UPDATED  r-1     /listing/price\n"));
    CHECK(fleet.json_of({"product", "show", "4711"}).at("facets").at("OPTION").at("version").as_int64() == 1);
}
