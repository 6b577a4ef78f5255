#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <map>
#include <set>

#include "contract/fixtures/pool_steps.hpp"
#include "contract/fixtures/redis.hpp"

using namespace crawler;
using namespace crawler::test;
using enum crawler::ports::SlotOutcome;

TEMPLATE_LIST_TEST_CASE("identity pool: a slot names an identity and how it presents itself",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({});

    const auto reserved = slot(f, *pool);

    CHECK_FALSE(reserved.reservation.empty());
    CHECK_FALSE(reserved.identity.value.empty());
    CHECK_FALSE(reserved.user_agent.empty());
    CHECK_FALSE(reserved.token.empty());
    CHECK(reserved.valid_until == f.now() + 60s);
}

TEMPLATE_LIST_TEST_CASE("identity pool: the spacing between two slots of one identity counts from the answer",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({});
    const auto first = slot(f, *pool);
    f.advance(3s);
    report(f, *pool, first, succeeded);

    CHECK(next_slot_at(f, *pool) == f.now() + 1s);
    f.advance(1s - 1us);
    CHECK(next_slot_at(f, *pool) == f.now() + 1us);
    f.advance(1us);
    slot(f, *pool);
}

TEMPLATE_LIST_TEST_CASE("identity pool: an identity has one request under way, until nobody can send it any more",
                        "[contract][identity_pool]", PoolFixtures) {
    const auto spacing = GENERATE(Duration{0s}, Duration{1s});
    TestType f;
    const auto pool = f.make({.spacing = spacing, .lease = 60s, .guard = 10s});
    slot(f, *pool);
    const auto free = f.now() + 60s + 10s + spacing;

    CHECK(next_slot_at(f, *pool) == free);
    f.advance(free - f.now() - 1us);
    CHECK(next_slot_at(f, *pool) == free);
    f.advance(1us);
    slot(f, *pool);
}

TEMPLATE_LIST_TEST_CASE(
    "identity pool: who had no answer may still be heard, and the identity rests as if nobody had said",
    "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.lease = 60s, .guard = 10s});
    const auto first = slot(f, *pool);
    const auto free = f.now() + 60s + 10s + 1s;
    f.advance(5s);

    report(f, *pool, first, unanswered);

    CHECK(next_slot_at(f, *pool) == free);
}

TEMPLATE_LIST_TEST_CASE("identity pool: the next identity is lent while the first one rests",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 3});

    const std::set<std::string> identities{ask(f, *pool).identity.value, ask(f, *pool).identity.value,
                                           ask(f, *pool).identity.value};

    CHECK(identities.size() == 3);
    CHECK(next_slot_at(f, *pool) == f.now() + 1s);
}

TEMPLATE_LIST_TEST_CASE("identity pool: when the budget is spent it says exactly when there is more",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.limit = 3, .window = 1h, .guard = 10s});
    const auto first = f.now();
    for (int i = 0; i < 3; ++i) {
        ask(f, *pool);
        f.advance(10s);
    }

    CHECK(next_slot_at(f, *pool) == first + 1h + 10s);
    f.advance(1h + 10s - 30s);
    ask(f, *pool);
    CHECK(next_slot_at(f, *pool) == first + 1h + 20s);
}

TEMPLATE_LIST_TEST_CASE("identity pool: the spacing holds also where the budget has come back earlier",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.limit = 2, .window = 10s, .spacing = 8s, .guard = 0s});
    ask(f, *pool);
    f.advance(8s);
    ask(f, *pool);

    CHECK(next_slot_at(f, *pool) == f.now() + 8s);
}

TEMPLATE_LIST_TEST_CASE("identity pool: whoever asks whenever told, no window ever holds more than the limit",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 2, .limit = 5, .window = 60s, .lease = 10s, .guard = 0s});
    std::map<std::string, std::vector<TimePoint>> log;
    while (f.now() < t0 + 10min) {
        auto reserved = reserve(f, *pool);
        if (const auto* next = std::get_if<ports::NextSlotAt>(&reserved)) {
            REQUIRE(next->time > f.now());
            f.advance(next->time - f.now());
        } else {
            const auto& lent = std::get<ports::Slot>(reserved);
            log[lent.identity.value].push_back(f.now());
            report(f, *pool, lent, succeeded);
            f.advance(137ms);
        }
    }

    CHECK(log.size() == 2);
    for (const auto& [identity, times] : log) {
        CHECK(times.size() == 50);  // never wasted either: 5 a minute for 10 minutes
        for (std::size_t i = 1; i < times.size(); ++i) CHECK(times[i] - times[i - 1] >= 1s);
        for (std::size_t i = 5; i < times.size(); ++i) CHECK(times[i] - times[i - 5] >= 60s);
    }
}

TEMPLATE_LIST_TEST_CASE("identity pool: a slot is spent whatever becomes of it", "[contract][identity_pool]",
                        PoolFixtures) {
    TestType f;
    const auto pool = f.make({.limit = 1});
    const auto first = f.now();
    const auto reserved = slot(f, *pool);
    f.advance(5s);

    SECTION("it succeeded") {
        report(f, *pool, reserved, succeeded);
    }
    SECTION("it failed") {
        report(f, *pool, reserved, failed);
    }
    SECTION("nobody ever said") {
        f.advance(2min);
    }

    CHECK(next_slot_at(f, *pool) >= first + 1h);
}

TEMPLATE_LIST_TEST_CASE("identity pool: an outcome is reported once", "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({});
    const auto reserved = ask(f, *pool);

    CHECK(code_of(f.run(pool->report(reserved, succeeded))) == "CONFLICT");
}

TEMPLATE_LIST_TEST_CASE("identity pool: a report after the lease is a conflict", "[contract][identity_pool]",
                        PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 2, .lease = 60s});
    const auto in_time = slot(f, *pool);
    const auto late = slot(f, *pool);

    f.advance(60s - 1us);
    CHECK(f.run(pool->report(in_time, server_error)));
    f.advance(1us);
    CHECK(code_of(f.run(pool->report(late, succeeded))) == "CONFLICT");
}

TEMPLATE_LIST_TEST_CASE("identity pool: a late report does not free the slot that came after",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.lease = 60s, .guard = 10s});
    const auto lost = slot(f, *pool);
    f.advance(71s);
    slot(f, *pool);
    const auto free = next_slot_at(f, *pool);

    CHECK(code_of(f.run(pool->report(lost, throttled))) == "CONFLICT");

    CHECK(next_slot_at(f, *pool) == free);
}

TEMPLATE_LIST_TEST_CASE("identity pool: a reservation that never was is a conflict", "[contract][identity_pool]",
                        PoolFixtures) {
    TestType f;
    const auto pool = f.make({});
    auto made_up = slot(f, *pool);
    made_up.reservation = "made up";

    CHECK(code_of(f.run(pool->report(made_up, succeeded))) == "CONFLICT");
}
