// A keyword search as the listing of a run: each page names the next one.
#include <catch2/catch_test_macros.hpp>

#include "line_world.hpp"
#include "scripted_marketplace.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

const std::string second_page = "/v1/search/items?keyword=s1&pageNo=2";

struct SearchWorld : LineWorld {
    ScriptedMarketplace shop{*marketplace, clock};
    application::TriggerCrawl::Settings settings{.listing = application::ListingSource::search};
    application::ExecuteTask worker{{*tasks, *identities, shop, *ids, clock, pause, *telemetry}, slots, {}};

    SearchWorld() { enroll("s1", 0); }

    Result<ports::Disposition> begin() {
        application::TriggerCrawl searching(
            {*sellers, *executions, *leases, *identities, shop, *ids, clock, pause, *telemetry}, slots, settings);
        return run(searching.handle(seller_id("s1")));
    }
    CrawlingScheduleExecution::State stored_run() {
        return run(executions->find(events<ports::CrawlTriggered>().at(0).execution))->state();
    }
    void give(std::vector<ItemNo> items, const std::string& next) {
        ports::Page page{.body = "{}"};
        for (const auto item : items) page.follow_ups.push_back(*RequestUrl::detail(item));
        if (!next.empty()) page.follow_ups.push_back(*RequestUrl::search_next(next));
        shop.pages.emplace_back(std::move(page));
    }
    // Publishes and executes the searches; details wait.
    void execute_next() {
        REQUIRE(run(relay.run_once()));
        time.advance(1s);
        for (const auto& delivery : receive()) {
            const auto task = run(tasks->load(TaskId{delivery.body}));
            if (task->type() == TaskType::search) REQUIRE(run(worker.handle(TaskId{delivery.body})));
        }
    }
};

}  // namespace

TEST_CASE("search: a run begins with one search for the seller, asks nothing before, and its total is not known") {
    SearchWorld w;

    REQUIRE(w.begin());

    CHECK(w.shop.requests.empty());
    CHECK(w.stored_run().total_tasks == 1);
    CHECK(w.stored_run().announced == 0);
    CHECK(w.stored_run().status == ExecutionStatus::in_progress);
    w.give({}, "");
    w.execute_next();
    CHECK(w.shop.requests.at(0).url == "/v2/api/facade/searchItems?keyword=s1");
}

TEST_CASE("search: a seller may be searched for by another keyword") {
    SearchWorld w;
    w.settings.keywords = {{"s1", "스톤"}};

    REQUIRE(w.begin());
    w.give({}, "");
    w.execute_next();

    CHECK(w.shop.requests.at(0).url == "/v2/api/facade/searchItems?keyword=%EC%8A%A4%ED%86%A4");
}

TEST_CASE("search: each page leads to the next, and the run is open until the last one and all items are done") {
    SearchWorld w;
    REQUIRE(w.begin());
    w.give({1, 2}, second_page);
    w.give({2, 3}, "");  // item 2 moved from the first page to the second while it was read

    w.execute_next();
    CHECK(w.stored_run().total_tasks == 4);
    CHECK(w.stored_run().completed_tasks == 1);
    w.execute_next();

    CHECK(w.stored_run().total_tasks == 5);
    CHECK(w.stored_run().completed_tasks == 2);
    CHECK(w.stored_run().status == ExecutionStatus::in_progress);
}

TEST_CASE("search: a page that finds nothing ends the run") {
    SearchWorld w;
    REQUIRE(w.begin());
    w.give({}, "");

    w.execute_next();

    CHECK(w.stored_run().status == ExecutionStatus::completed);
}

TEST_CASE("search: a chain that bites its own tail comes to its end") {
    SearchWorld w;
    REQUIRE(w.begin());
    w.give({1}, second_page);
    w.give({2}, second_page);

    w.execute_next();
    w.execute_next();
    w.execute_next();

    CHECK(w.shop.requests.size() == 2);
    CHECK(w.stored_run().total_tasks == 4);
}
