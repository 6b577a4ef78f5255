#include <catch2/catch_test_macros.hpp>
#include <stdexcept>

#include "adapters/memory/memory.hpp"
#include "support/builders.hpp"
#include "support/run.hpp"

using namespace crawler;
using namespace crawler::adapters;
using namespace crawler::test;
using enum ports::SlotOutcome;

namespace {

struct PoolWorld {
    ManualClock clock;
    std::unique_ptr<MemoryIdentityPool> pool;

    explicit PoolWorld(MemoryIdentityPoolConfig config) : pool(make_memory_identity_pool(config, clock)) {}

    ports::Slot slot() {
        auto reserved = run(pool->reserve());
        REQUIRE(reserved);
        REQUIRE(std::holds_alternative<ports::Slot>(*reserved));
        return std::get<ports::Slot>(*reserved);
    }
    TimePoint next_slot_at() {
        auto reserved = run(pool->reserve());
        REQUIRE(reserved);
        REQUIRE(std::holds_alternative<ports::NextSlotAt>(*reserved));
        return std::get<ports::NextSlotAt>(*reserved).time;
    }
    Result<> report(const ports::Slot& slot, ports::SlotReport what) {
        return run(pool->report(slot, std::move(what)));
    }
};

}  // namespace

TEST_CASE("memory identity pool: a pool without identities is unavailable") {
    PoolWorld w({.identities = 0});

    CHECK(code_of(run(w.pool->reserve())) == "UNAVAILABLE");
}

TEST_CASE("memory identity pool: a configuration that makes no sense is refused at the start") {
    const ManualClock clock;
    for (const auto& config :
         {MemoryIdentityPoolConfig{.limit = 0}, MemoryIdentityPoolConfig{.lease = 0s},
          MemoryIdentityPoolConfig{.at_once = 0}, MemoryIdentityPoolConfig{.ceiling = {.per_second = 0}},
          MemoryIdentityPoolConfig{.health = {.floor = 101}}, MemoryIdentityPoolConfig{.breaker = {.open_for = 0s}},
          MemoryIdentityPoolConfig{.blame = {.identities = 1}}})
        CHECK_THROWS_AS(make_memory_identity_pool(config, clock), std::invalid_argument);
}

TEST_CASE("memory identity pool: a clock that steps back gets nothing until it has caught up") {
    PoolWorld w({.identities = 5});
    REQUIRE(w.report(w.slot(), succeeded));

    w.clock.set(t0 - 1us);
    CHECK(code_of(run(w.pool->reserve())) == "UNAVAILABLE");
    w.clock.set(t0);
    w.slot();
}

TEST_CASE("memory identity pool: an identity that was refused has a new token next time") {
    PoolWorld w({.identities = 1});
    REQUIRE(w.report(w.slot(), refused));
    w.clock.advance(1s);

    CHECK_FALSE(w.slot().token.empty());
    CHECK(w.pool->status().health_min == 95);
}

TEST_CASE(
    "memory identity pool: a report about an identity that was blocked meanwhile is a conflict and changes nothing") {
    PoolWorld w({.identities = 2});
    const auto lent = w.slot();
    REQUIRE(w.pool->block(lent.identity));

    CHECK(code_of(w.report(lent, ports::SlotReport(server_error, "MINISHOP"))) == "CONFLICT");

    CHECK(w.pool->status().blocked == 1);
    CHECK(w.pool->status().health_min == 100);
}

TEST_CASE("memory identity pool: a pool of BLOCKED ones is unavailable, and one that is unblocked is lent again") {
    PoolWorld w({.identities = 1});
    const auto id = w.slot().identity;
    REQUIRE(w.pool->block(id));
    CHECK(code_of(run(w.pool->reserve())) == "UNAVAILABLE");
    CHECK(w.pool->breaker() == BreakerStatus::open);

    REQUIRE(w.pool->unblock(id));
    w.clock.advance(10min);
    REQUIRE(w.report(w.slot(), succeeded));

    CHECK(w.pool->breaker() == BreakerStatus::closed);
    CHECK(w.pool->status().health_max == 75);
}

TEST_CASE("memory identity pool: an administrator recovers one before its time") {
    PoolWorld w({.identities = 2});
    const auto lent = w.slot();
    REQUIRE(w.report(lent, throttled));
    CHECK(w.pool->status().suspended == 1);

    REQUIRE(w.pool->recover(lent.identity));

    CHECK(w.pool->status().available == 2);
    CHECK(w.pool->status().health_min == 70);
    CHECK(code_of(w.pool->recover(lent.identity)) == "CONFLICT");
    CHECK(code_of(w.pool->recover(UserAgentId{"nobody"})) == "NOT_FOUND");
}

TEST_CASE("memory identity pool: its status counts the budget that is left") {
    PoolWorld w({.identities = 50});
    CHECK(w.pool->status().budget_left == 4000);

    REQUIRE(w.report(w.slot(), succeeded));
    w.slot();

    CHECK(w.pool->status().budget_left == 3998);
    CHECK(w.pool->status().available_rate() == 100.0);
}

TEST_CASE(
    "memory identity pool: who was suspended for its health is available again when the endpoint turns out to be at "
    "fault") {
    PoolWorld w({.identities = 3, .health = {.server_error_loss = 71}});
    const auto first = w.slot();
    const auto second = w.slot();
    const auto third = w.slot();
    REQUIRE(w.report(first, ports::SlotReport(server_error, "PRODUCT_DETAIL")));
    REQUIRE(w.report(second, ports::SlotReport(server_error, "PRODUCT_DETAIL")));
    CHECK(w.pool->status().suspended == 2);

    REQUIRE(w.report(third, ports::SlotReport(server_error, "PRODUCT_DETAIL")));

    CHECK(w.pool->status().available == 3);
    CHECK(w.pool->status().health_min == 100);
}

TEST_CASE("memory identity pool: who was blocked meanwhile is not touched by a late pardon") {
    PoolWorld w({.identities = 4});
    const auto first = w.slot();
    const auto second = w.slot();
    const auto third = w.slot();
    REQUIRE(w.report(first, ports::SlotReport(server_error, "PRODUCT_DETAIL")));
    REQUIRE(w.report(second, ports::SlotReport(server_error, "PRODUCT_DETAIL")));
    REQUIRE(w.pool->block(first.identity));

    REQUIRE(w.report(third, ports::SlotReport(server_error, "PRODUCT_DETAIL")));

    CHECK(w.pool->status().blocked == 1);
    CHECK(w.pool->status().health_min == 90);
}

TEST_CASE(
    "memory identity pool: over a day nobody is lent beyond the limit, and hardly anything of the budget is lost") {
    PoolWorld w({.identities = 2, .ceiling = {.per_second = 10, .per_hour = 4000}});
    int requests = 0;
    while (w.clock.now() < t0 + 24h) {
        auto reserved = run(w.pool->reserve());
        REQUIRE(reserved);
        if (const auto* next = std::get_if<ports::NextSlotAt>(&*reserved)) {
            w.clock.set(next->time);
            continue;
        }
        ++requests;
        w.clock.advance(700ms);
        REQUIRE(w.report(std::get<ports::Slot>(*reserved), succeeded));
    }

    CHECK(requests <= 24 * 160 + 160);
    CHECK(requests >= 24 * 160 * 97 / 100);
}
