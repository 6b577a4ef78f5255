#include <catch2/catch_test_macros.hpp>

#include "line_world.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

bool is_ack(const Result<ports::Disposition>& result) {
    return result && std::holds_alternative<ports::Ack>(*result);
}

Duration retry_wait(const Result<ports::Disposition>& result) {
    REQUIRE(result);
    REQUIRE(std::holds_alternative<ports::RetryAfter>(*result));
    return std::get<ports::RetryAfter>(*result).wait;
}

}  // namespace

TEST_CASE("trigger: an unknown seller begins no run, and the message is done with") {
    LineWorld w;

    const auto result = w.begin_crawl("nobody");

    CHECK(is_ack(result));
    CHECK(w.events<ports::CrawlRefused>().at(0).error.code == Errc::not_found);
    CHECK(w.events<ports::CrawlTriggered>().empty());
}

TEST_CASE("trigger: an inactive seller begins no run") {
    LineWorld w;
    w.enroll("s1", 3);
    auto both = *w.run(w.sellers->find_both(seller_id("s1")));
    REQUIRE(both.seller.deactivate(w.clock.now()));
    REQUIRE(w.run(w.sellers->save(both, std::nullopt)));

    const auto result = w.begin_crawl("s1");

    CHECK(is_ack(result));
    CHECK(w.events<ports::CrawlRefused>().size() == 1);
    CHECK(w.events<ports::CrawlTriggered>().empty());
}

TEST_CASE("trigger: an empty catalogue is a finished run, not an error") {
    LineWorld w;
    w.enroll("s1", 0);

    CHECK(is_ack(w.begin_crawl("s1")));

    const auto id = w.events<ports::CrawlTriggered>().at(0).execution;
    CHECK(w.run(w.executions->find(id))->state().status == ExecutionStatus::completed);
}

TEST_CASE("trigger: without a slot nothing is asked, the message comes back when there is one and the lease is free") {
    LineWorld w;
    w.enroll("s1", 3);
    std::optional<TimePoint> next_slot_at;
    while (!next_slot_at) {
        const auto reserved = w.run(w.identities->reserve());
        if (const auto* next = std::get_if<ports::NextSlotAt>(&*reserved)) next_slot_at = next->time;
    }

    const auto result = w.run(w.trigger.handle(seller_id("s1")));

    CHECK(retry_wait(result) == *next_slot_at - w.clock.now());
    CHECK(w.events<ports::CrawlTriggered>().empty());
    CHECK(w.run(w.leases->acquire("trigger/s1", "another", 1min))->has_value());
}

TEST_CASE("trigger: while another process triggers the same seller the message waits") {
    LineWorld w;
    w.enroll("s1", 3);
    REQUIRE(w.run(w.leases->acquire("trigger/s1", "another", 2min)));

    // Once is enough: by then a holder that died has lost it.
    CHECK(retry_wait(w.begin_crawl("s1")) == 2min);

    w.time.advance(2min);
    CHECK(is_ack(w.begin_crawl("s1")));
}

TEST_CASE("trigger: while a run of the seller is open another trigger is told, done with, and costs no request") {
    LineWorld w;
    w.enroll("s1", 3);
    REQUIRE(is_ack(w.begin_crawl("s1")));

    CHECK(is_ack(w.begin_crawl("s1")));

    CHECK(w.slots.take());
    CHECK(w.events<ports::CrawlTriggered>().size() == 1);
    const auto refused = w.events<ports::CrawlRefused>();
    REQUIRE(refused.size() == 1);
    CHECK(refused[0].error.code == Errc::conflict);
    const auto id = w.events<ports::CrawlTriggered>().at(0).execution.value;
    CHECK(refused[0].error.detail.starts_with("run " + id + " is under way since 2026-"));

    w.crawl_everything();
    CHECK(is_ack(w.begin_crawl("s1")));
    CHECK(w.events<ports::CrawlTriggered>().size() == 2);
}

TEST_CASE("trigger: a run that another process started meanwhile is told as well") {
    LineWorld w;
    w.enroll("s1", 3);
    REQUIRE(is_ack(w.begin_crawl("s1")));
    // The first look is answered by what was there before.
    struct Late final : ports::ExecutionStore {
        ports::ExecutionStore& behind;
        bool is_first = true;
        explicit Late(ports::ExecutionStore& store) : behind(store) {}
        Async<Result<>> start(ports::NewRun run) override { return behind.start(std::move(run)); }
        Async<Result<CrawlingScheduleExecution>> find(ExecutionId id) override { return behind.find(std::move(id)); }
        Async<Result<std::optional<CrawlingScheduleExecution>>> open_run(SellerId seller) override {
            if (std::exchange(is_first, false)) co_return std::optional<CrawlingScheduleExecution>{};
            co_return co_await behind.open_run(std::move(seller));
        }
    } late(*w.executions);
    application::TriggerCrawl trigger(
        {*w.sellers, late, *w.leases, *w.identities, *w.marketplace, *w.ids, w.clock, w.pause, *w.telemetry}, w.slots,
        {});

    CHECK(is_ack(w.run(trigger.handle(seller_id("s1")))));

    CHECK(w.events<ports::CrawlTriggered>().size() == 1);
    CHECK(w.events<ports::CrawlRefused>().at(0).error.code == Errc::conflict);
}

TEST_CASE("trigger: a run that is open beyond its deadline has failed, and the next one begins") {
    LineWorld w;
    w.enroll("s1", 3);
    REQUIRE(is_ack(w.begin_crawl("s1")));
    const auto stuck = w.events<ports::CrawlTriggered>().at(0).execution;
    w.time.advance(48h - 2s);
    REQUIRE(is_ack(w.begin_crawl("s1")));
    CHECK(w.events<ports::CrawlRefused>().size() == 1);
    w.time.advance(2s);

    REQUIRE(is_ack(w.begin_crawl("s1")));

    CHECK(w.events<ports::CrawlTriggered>().size() == 2);
    const auto state = w.run(w.executions->find(stuck))->state();
    CHECK(state.status == ExecutionStatus::failed);
    CHECK(state.failure_reason == "stuck beyond its deadline");
}

TEST_CASE("trigger: a seller that was changed while it was triggered is an error, and the message comes back") {
    LineWorld w;
    w.enroll("s1", 3);
    w.faults.add({.call = "execution_store.start", .error = {Errc::conflict, "it was saved since"}});

    CHECK_FALSE(w.begin_crawl("s1"));
    CHECK(is_ack(w.begin_crawl("s1")));
}

TEST_CASE("trigger: a marketplace that fails is asked again, as a task would be") {
    LineWorld w{.identity_count = 5};
    w.enroll("s1", 3);
    w.faults.add({.call = "marketplace.count_items", .error = {Errc::rate_limited, "HTTP 429"}});
    w.faults.add({.call = "marketplace.count_items", .error = {Errc::unavailable, "HTTP 503"}, .nth = 2});

    CHECK(is_ack(w.begin_crawl("s1")));

    CHECK(w.events<ports::CrawlTriggered>().at(0).products == 3);
    CHECK(w.pause.passed.size() == 1);
}

TEST_CASE(
    "trigger: a marketplace that does not answer leaves no run and gives the lease back; the message comes back") {
    LineWorld w{.identity_count = 5};
    w.enroll("s1", 3);
    Duration wait = 5min;
    std::optional<Duration> asked;
    SECTION("after a while") {}
    SECTION("when it asked for") {
        asked = wait = 20min;
    }
    w.faults.add({.call = "marketplace.count_items", .error = {Errc::timeout, "no answer", asked}, .times = 3});

    CHECK(retry_wait(w.begin_crawl("s1")) == wait);

    CHECK(w.events<ports::CrawlTriggered>().empty());
    CHECK(w.events<ports::CrawlDelayed>().at(0).error.code == Errc::timeout);
    CHECK(w.events<ports::CrawlDelayed>().at(0).wait == wait);
    CHECK(w.run(w.leases->acquire("trigger/s1", "another", 1min))->has_value());
}

TEST_CASE("trigger: a seller that the marketplace does not know is told, and the message is done with") {
    LineWorld w;
    w.enroll("s1", 3);
    w.catalogue.clear();

    CHECK(is_ack(w.begin_crawl("s1")));

    CHECK(w.events<ports::CrawlRefused>().at(0).error.code == Errc::not_found);
    CHECK(w.events<ports::CrawlTriggered>().empty());
}

TEST_CASE("trigger: the total that the listing announced is noted with the run") {
    LineWorld w;
    w.enroll("s1", 3);
    REQUIRE(is_ack(w.begin_crawl("s1")));

    const auto id = w.events<ports::CrawlTriggered>().at(0).execution;
    CHECK(w.run(w.executions->find(id))->state().announced == 3);
}

TEST_CASE("trigger: a run that cannot be stored is an error, and nothing of it is there") {
    LineWorld w;
    w.enroll("s1", 3);
    w.faults.add({.call = "execution_store.start", .error = {Errc::unavailable, "no database"}});

    const auto failed = w.begin_crawl("s1");

    CHECK_FALSE(failed);
    CHECK(*w.run(w.relay.run_once()) == 0);
    CHECK(w.run(w.sellers->find(seller_id("s1")))->state().total_product_count == 0);
}

TEST_CASE("trigger: a lease that cannot be given back does not undo the run") {
    LineWorld w;
    w.enroll("s1", 3);
    w.faults.add({.call = "lease.release", .error = {Errc::unavailable, "no database"}});

    CHECK(is_ack(w.begin_crawl("s1")));

    CHECK(w.events<ports::CrawlTriggered>().size() == 1);
    CHECK(w.events<ports::LeaseUnreleased>().size() == 1);
}
