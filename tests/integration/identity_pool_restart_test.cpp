// What the identity pool knows is in the database: a process that goes away takes nothing with it.
#include <catch2/catch_template_test_macros.hpp>

#include "integration/identity_pool_world.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;
using enum crawler::ports::SlotOutcome;

namespace {

using Worlds = std::tuple<PoolWorld<SqliteStores>, PoolWorld<MariaDbStores>>;

template <class World>
ports::PoolView look(World& w, ports::IdentityPool& pool, Duration horizon) {
    auto view = w.run(pool.look(horizon));
    REQUIRE(view);
    return *view;
}

template <class World>
ports::Slot session_slot(World& w, ports::IdentityPool& pool) {
    auto reserved = w.run(pool.reserve_for_session());
    REQUIRE(reserved);
    REQUIRE(std::holds_alternative<ports::Slot>(*reserved));
    return std::get<ports::Slot>(*reserved);
}

std::string token_of(const UserAgentId& identity) {
    return "token of " + identity.value;
}

template <class World>
void open_sessions(World& w, ports::IdentityPool& pool, int count) {
    for (int i = 0; i < count; ++i) {
        const auto lent = session_slot(w, pool);
        REQUIRE(w.run(pool.report_session(lent, Secret(token_of(lent.identity)))));
    }
    w.advance(1s);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("sql identity pool: a process that comes anew finds everything as it was",
                        "[integration][identity_pool]", Worlds) {
    TestType w;
    auto* pool = &w.process();

    SECTION("the view") {
        w.enroll(6);
        for (const auto& outcome : {throttled, server_error, succeeded, failed}) ask(w, *pool, outcome);
        const auto before = look(w, *pool, 1min);

        pool = &w.restart();

        const auto after = look(w, *pool, 1min);
        CHECK(after.identities.total == 6);
        CHECK(after.identities.available == before.identities.available);
        CHECK(after.identities.suspended == 1);
        CHECK(after.identities.health_sum == before.identities.health_sum);
        CHECK(after.identities.health_min == before.identities.health_min);
        CHECK(after.identities.budget_left == before.identities.budget_left);
        CHECK(after.left_this_hour == before.left_this_hour);
        CHECK(after.servable == before.servable);
        CHECK(after.breaker == before.breaker);
    }
    SECTION("the budgets") {
        w.config.limits.limit = 3;
        w.enroll(1);
        const auto first = w.now();
        for (int i = 0; i < 3; ++i) {
            pool = &w.restart();
            ask(w, *pool);
            w.advance(10s);
        }
        pool = &w.restart();
        CHECK(next_slot_at(w, *pool) == first + 1h + 10s);
    }
    SECTION("the spacing") {
        w.enroll(1);
        ask(w, *pool);
        w.advance(400ms);
        pool = &w.restart();
        CHECK(next_slot_at(w, *pool) == w.now() + 600ms);
    }
    SECTION("the host's ceiling") {
        w.config.ceiling = {.per_second = 3, .per_hour = 4};
        w.enroll(10);
        pool = &w.restart();
        for (int i = 0; i < 3; ++i) ask(w, *pool);
        const auto first = w.now();
        pool = &w.restart();
        CHECK(next_slot_at(w, *pool) == first + 1s);
        w.advance(1s);
        ask(w, *pool);
        pool = &w.restart();
        CHECK(next_slot_at(w, *pool) == first + 1h + 10s);
    }
    SECTION("the health, and the order that comes of it") {
        w.enroll(3);
        const auto ill = ask(w, *pool, server_error).identity;
        const auto first = ask(w, *pool).identity;
        ask(w, *pool);
        w.advance(10s);
        pool = &w.restart();
        CHECK(w.identity(ill.value).state().health == 90);
        CHECK(ask(w, *pool).identity == first);
    }
    SECTION("the suspension") {
        w.enroll(1);
        const auto suspended = ask(w, *pool, throttled).identity;
        const auto back = w.now() + 1h;
        pool = &w.restart();
        CHECK(next_slot_at(w, *pool) == back);
        w.advance(1h);
        pool = &w.restart();
        CHECK(slot(w, *pool).identity == suspended);
    }
    SECTION("the tokens, and their age") {
        w.config.sessions.made_up = false;
        w.enroll(3);
        pool = &w.restart();
        open_sessions(w, *pool, 3);
        pool = &w.restart();
        for (int i = 0; i < 3; ++i) {
            const auto lent = ask(w, *pool);
            CHECK(lent.token.reveal() == token_of(lent.identity));
        }
        const auto next = w.run(pool->reserve_for_session());
        REQUIRE(next);
        REQUIRE(std::holds_alternative<ports::NextSlotAt>(*next));
        CHECK(std::get<ports::NextSlotAt>(*next).time >= t0 + 16h);
        CHECK(std::get<ports::NextSlotAt>(*next).time <= t0 + 20h);
    }
    SECTION("the request that is under way, which it may report") {
        w.enroll(1);
        const auto lent = slot(w, *pool);
        w.advance(5s);
        pool = &w.restart();
        CHECK(next_slot_at(w, *pool) == lent.valid_until + 11s);
        report(w, *pool, lent, succeeded);
        CHECK(next_slot_at(w, *pool) == w.now() + 1s);
        CHECK(code_of(w.run(pool->report(lent, succeeded))) == "CONFLICT");
    }
    SECTION("the sessions that are being opened") {
        w.config.sessions = {.at_once = 1};
        w.enroll(2);
        pool = &w.restart();
        const auto lent = session_slot(w, *pool);
        pool = &w.restart();
        const auto next = w.run(pool->reserve_for_session());
        REQUIRE(next);
        REQUIRE(std::holds_alternative<ports::NextSlotAt>(*next));
        CHECK(std::get<ports::NextSlotAt>(*next).time == lent.valid_until);
    }
    SECTION("the breaker, open") {
        w.enroll(3);
        for (int i = 0; i < 3; ++i) ask(w, *pool, ports::SlotReport(throttled, "MINISHOP", 2min));
        const auto open_until = w.now() + 1h;  // the identities' rest, which is longer than the breaker's
        pool = &w.restart();
        CHECK(look(w, *pool, 0s).breaker == BreakerStatus::open);
        CHECK(next_slot_at(w, *pool) == open_until);
    }
    SECTION("the breaker's probe") {
        w.enroll(3);
        for (int i = 0; i < 3; ++i) ask(w, *pool, throttled);
        w.advance(1h);
        const auto probe = slot(w, *pool);
        pool = &w.restart();
        CHECK(look(w, *pool, 0s).breaker == BreakerStatus::half_open);
        CHECK(next_slot_at(w, *pool) == probe.valid_until);
        report(w, *pool, probe, succeeded);
        CHECK(look(w, *pool, 0s).breaker == BreakerStatus::closed);
        slot(w, *pool);
    }
    SECTION("who failed where") {
        w.enroll(3);
        for (int i = 0; i < 3; ++i) {
            ask(w, *pool, ports::SlotReport(server_error, "PRODUCT_DETAIL"));
            pool = &w.restart();
        }
        CHECK(look(w, *pool, 0s).identities.health_min == 100);
    }
}

TEMPLATE_LIST_TEST_CASE("sql identity pool: a reservation whose name is in the ledger is refused, and nothing is spent",
                        "[integration][identity_pool]", Worlds) {
    TestType w;
    w.enroll(2);
    PoolProcess before(w.place.url(), "namesake", w.config, w.clock);
    const auto lent = slot(w, *before.pool);
    PoolProcess after(w.place.url(), "namesake", w.config, w.clock);

    CHECK(code_of(w.run(after.pool->reserve())) == "CONFLICT");

    CHECK(w.entries().size() == 1);
    report(w, *before.pool, lent, succeeded);
    const auto next = slot(w, *after.pool);
    CHECK(next.identity != lent.identity);
    CHECK(next.reservation != lent.reservation);
}
