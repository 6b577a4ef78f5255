#include <catch2/catch_test_macros.hpp>

#include "codec/sha256.hpp"
#include "line_world.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

TEST_CASE("line: what a seller has on sale arrives at the product server, each product once") {
    LineWorld w;
    w.enroll("셀러_1", 12);

    REQUIRE(w.begin_crawl("셀러_1"));
    w.crawl_everything();
    w.sync_everything();

    CHECK(w.events<ports::TaskSucceeded>().size() == 1 + 2 * 12);
    CHECK(w.server->accepted() == 12);
    CHECK(w.server->payload_of("5000000011"));
    const auto run_id = w.events<ports::CrawlTriggered>().at(0).execution;
    const auto finished = w.run(w.executions->find(run_id));
    REQUIRE(finished);
    CHECK(finished->state().status == ExecutionStatus::completed);
    CHECK(finished->state().completed_tasks == 25);
}

TEST_CASE("line: every answer is kept with the item it is about and the hash of its body") {
    LineWorld w;
    w.enroll("s1", 2);
    REQUIRE(w.begin_crawl("s1"));
    w.crawl_everything();

    const auto raws = w.run(w.raws->claim(100, w.clock.now(), 1s));

    REQUIRE(raws);
    REQUIRE(raws->size() == 1 + 2 * 2);
    for (const auto& raw : *raws) {
        const auto& state = raw.state();
        const bool about_one = state.type != TaskType::minishop;
        CHECK(state.item.has_value() == about_one);
        if (about_one) CHECK(state.body.find(std::to_string(*state.item)) != std::string::npos);
        CHECK((state.content_hash == codec::sha256(state.body)));
    }
}

TEST_CASE("line: a second crawl of an unchanged catalogue tells the product server nothing") {
    LineWorld w;
    w.enroll("s1", 5);
    REQUIRE(w.begin_crawl("s1"));
    w.crawl_everything();
    w.sync_everything();
    const auto told = w.server->accepted();

    w.time.advance(24h);
    REQUIRE(w.begin_crawl("s1"));
    w.crawl_everything();
    w.sync_everything();

    CHECK(w.server->accepted() == told);
}

TEST_CASE("line: a changed price reaches the product server, and nothing else does") {
    LineWorld w;
    w.enroll("s1", 5);
    REQUIRE(w.begin_crawl("s1"));
    w.crawl_everything();
    w.sync_everything();
    const auto told = w.server->accepted();
    const auto untouched = w.server->payload_of("5000000001");

    w.catalogue["s1"][3].price = 499'000;
    w.time.advance(24h);
    REQUIRE(w.begin_crawl("s1"));
    w.crawl_everything();
    w.sync_everything();

    CHECK(w.server->accepted() ==
          told + 1);  // the listing shows the price, and so does the detail: both changes are one event
    CHECK(w.server->payload_of("5000000003")->find("499000") != std::string::npos);
    CHECK(w.server->payload_of("5000000001") == untouched);
}

TEST_CASE("line: a catalogue of several pages becomes one listing task per page of 500") {
    LineWorld w;
    w.enroll("s1", 1001);

    REQUIRE(w.begin_crawl("s1"));

    CHECK(w.events<ports::CrawlTriggered>().at(0).tasks == 3);
    CHECK(w.events<ports::CrawlTriggered>().at(0).products == 1001);
}
