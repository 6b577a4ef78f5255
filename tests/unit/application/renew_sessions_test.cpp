#include "application/renew_sessions.hpp"

#include <catch2/catch_test_macros.hpp>

#include "adapters/memory/memory.hpp"
#include "support/builders.hpp"
#include "support/run.hpp"
#include "support/told.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

struct SessionWorld {
    ManualClock clock;
    adapters::Faults faults;
    adapters::Catalogue nothing;
    std::unique_ptr<adapters::MemoryIdentityPool> pool;
    std::unique_ptr<ports::Marketplace> marketplace = adapters::make_memory_marketplace(nothing, {}, &faults);
    std::unique_ptr<adapters::MemoryTelemetry> telemetry = adapters::make_memory_telemetry();
    application::RenewSessions renew;

    explicit SessionWorld(int identities, SessionPolicy sessions = {})
        : pool(adapters::make_memory_identity_pool(
              {.identities = identities, .ceiling = {.per_second = 100, .per_hour = 4000}, .sessions = sessions}, clock,
              &faults)),
          renew({*pool, *marketplace, *telemetry}) {}

    std::size_t renew_once() {
        const auto worked = run(renew.run_once());
        REQUIRE(worked);
        return *worked;
    }
    bool has_slot() {
        const auto reserved = run(pool->reserve());
        REQUIRE(reserved);
        return std::holds_alternative<ports::Slot>(*reserved);
    }
};

}  // namespace

TEST_CASE("renew sessions: everybody gets a token, one after the other, and then there is nothing to do") {
    SessionWorld w(5);
    CHECK_FALSE(w.has_slot());

    for (int i = 0; i < 5; ++i) CHECK(w.renew_once() == 1);

    CHECK(w.renew_once() == 0);
    CHECK(told<ports::SessionOpened>(*w.telemetry).size() == 5);
    CHECK_FALSE(told<ports::SessionOpened>(*w.telemetry).at(0).renewed);
    w.clock.advance(1s);
    for (int i = 0; i < 5; ++i) CHECK(w.has_slot());
}

TEST_CASE("renew sessions: a token is renewed before it is too old") {
    SessionWorld w(1);
    w.renew_once();
    w.clock.advance(15h);
    CHECK(w.renew_once() == 0);

    w.clock.advance(5h);

    CHECK(w.renew_once() == 1);
    CHECK(told<ports::SessionOpened>(*w.telemetry).at(1).renewed);
}

TEST_CASE("renew sessions: what went wrong is told, and another try waits its time") {
    SessionWorld w(1);
    w.faults.add({"marketplace.open_session", {Errc::unavailable, "503"}});

    CHECK(w.renew_once() == 1);

    REQUIRE(told<ports::SessionFailed>(*w.telemetry).size() == 1);
    CHECK(told<ports::SessionFailed>(*w.telemetry).at(0).error.detail == "503");
    CHECK(w.renew_once() == 0);
    w.clock.advance(5min);
    CHECK(w.renew_once() == 1);
    CHECK(told<ports::SessionOpened>(*w.telemetry).size() == 1);
}

TEST_CASE("renew sessions: a site that is down blocks nobody, and all have tokens soon after it is back") {
    SessionWorld w(20);
    // Two hours and more, in which every try fails: one of each identity in five minutes.
    constexpr int tries = 20 * 26;
    w.faults.add({.call = "marketplace.open_session", .error = {Errc::unavailable, "503"}, .times = tries});
    while (told<ports::SessionFailed>(*w.telemetry).size() < tries) {
        if (w.renew_once() == 0) w.clock.advance(10s);
    }
    CHECK(w.clock.now() > t0 + 2h);
    CHECK(w.pool->status().available == 20);
    CHECK(w.pool->status().health_min == 100);

    w.clock.advance(5min);
    while (w.renew_once() == 1) w.clock.advance(100ms);
    CHECK(told<ports::SessionOpened>(*w.telemetry).size() == 20);
}

TEST_CASE("renew sessions: a token that the pool was not told of is not called opened") {
    SessionWorld w(1);
    w.faults.add({"identity_pool.report_session", {Errc::unavailable, "no database"}});

    CHECK(w.renew_once() == 1);

    CHECK(told<ports::SessionOpened>(*w.telemetry).empty());
    CHECK(told<ports::SlotUnreported>(*w.telemetry).size() == 1);
}

TEST_CASE("renew sessions: a pool that cannot be reached is an error of the pass") {
    SessionWorld w(1);
    w.faults.add({"identity_pool.reserve_for_session", {Errc::unavailable, "no database"}});

    CHECK(code_of(run(w.renew.run_once())) == "UNAVAILABLE");
    CHECK(w.telemetry->events().empty());
}
