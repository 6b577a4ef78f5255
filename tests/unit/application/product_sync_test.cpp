#include <catch2/catch_test_macros.hpp>

#include "line_world.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

// One seller crawled, nothing absorbed yet: a listing raw, and a detail and an option raw per item.
struct SyncWorld : LineWorld {
    SyncWorld() {
        enroll("s1", 4);
        REQUIRE(begin_crawl("s1"));
        crawl_everything();
    }
    void absorb_all() {
        for (;;) {
            const auto absorbed = run(absorb.run_once());
            REQUIRE(absorbed);
            if (*absorbed == 0) return;
        }
    }
};

}  // namespace

TEST_CASE("absorb: every raw becomes facets, and a product is complete when it has all three") {
    SyncWorld w;

    w.absorb_all();

    CHECK(w.events<ports::RawAbsorbed>().size() == 9);
    const auto known = w.run(w.products->find({5'000'000'002}));
    REQUIRE(known->size() == 1);
    CHECK(known->front().is_complete());
    CHECK(known->front().state().version == 3);
}

TEST_CASE("absorb: a raw whose storing failed is absorbed again when its lease is over") {
    SyncWorld w;
    w.faults.add({.call = "product_store.absorb", .error = {Errc::unavailable, "no database"}});

    CHECK_FALSE(w.run(w.absorb.run_once()));
    w.time.advance(1min);
    w.absorb_all();

    CHECK(w.events<ports::RawAbsorbed>().size() == 9);
}

TEST_CASE("absorb: an answer that cannot be read is set aside with the reason, and the others go on") {
    SyncWorld w;
    w.faults.add({.call = "marketplace.read", .error = {Errc::invalid, "/price: not a number"}, .nth = 2});

    w.absorb_all();

    const auto quarantined = w.events<ports::RawQuarantined>();
    REQUIRE(quarantined.size() == 1);
    CHECK(quarantined[0].error.detail == "/price: not a number");
    CHECK(w.events<ports::RawAbsorbed>().size() == 8);
    w.time.advance(1h);
    CHECK(*w.run(w.absorb.run_once()) == 0);
}

TEST_CASE("push: a server that is down is told again later, and in the same order") {
    SyncWorld w;
    w.absorb_all();
    w.faults.add({.call = "product_server.push", .error = {Errc::unavailable, "HTTP 503"}, .times = 2});

    REQUIRE(w.run(w.push.run_once()));
    CHECK(w.events<ports::ProductPushFailed>().size() == 2);
    for (int i = 0; i < 10; ++i) {
        w.time.advance(1s);
        REQUIRE(w.run(w.push.run_once()));
    }

    CHECK(w.server->accepted() == 12);
    CHECK(w.events<ports::ProductPushed>().size() == 12);
}

TEST_CASE("push: an answer that is lost is told again under the same key, and counts once") {
    SyncWorld w;
    w.absorb_all();
    w.faults.add({.call = "product_server.push", .error = {Errc::timeout, "no answer"}, .answer_lost = true});

    for (int i = 0; i < 10; ++i) {
        REQUIRE(w.run(w.push.run_once()));
        w.time.advance(1s);
    }

    CHECK(w.server->accepted() == 12);
}

TEST_CASE("push: what the server refuses for good is dead at once and says why") {
    SyncWorld w;
    w.absorb_all();
    w.faults.add({.call = "product_server.push", .error = {Errc::invalid, "HTTP 422: no such category"}});

    REQUIRE(w.run(w.push.run_once()));

    const auto failed = w.events<ports::ProductPushFailed>();
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].final);
    CHECK(failed[0].error.detail == "HTTP 422: no such category");
}
