// What outcomes do to identities, to the breaker and to the fleet as a whole.
#include <catch2/catch_template_test_macros.hpp>
#include <set>

#include "contract/fixtures/pool_steps.hpp"
#include "contract/fixtures/redis.hpp"

using namespace crawler;
using namespace crawler::test;
using enum crawler::ports::SlotOutcome;

TEMPLATE_LIST_TEST_CASE("identity pool: of equals the one is lent that was unused for longest",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 3});
    std::vector<std::string> order;
    for (int i = 0; i < 6; ++i) {
        order.push_back(ask(f, *pool).identity.value);
        f.advance(10s);
    }

    CHECK(std::set<std::string>(order.begin(), order.begin() + 3).size() == 3);
    CHECK(std::vector<std::string>(order.begin(), order.begin() + 3) ==
          std::vector<std::string>(order.begin() + 3, order.end()));
}

TEMPLATE_LIST_TEST_CASE("identity pool: the healthier one is lent first", "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 2});
    const auto ill = ask(f, *pool, server_error).identity;
    ask(f, *pool);
    f.advance(10s);

    CHECK(ask(f, *pool).identity != ill);
    f.advance(10s);
    CHECK(ask(f, *pool).identity != ill);
}

TEMPLATE_LIST_TEST_CASE("identity pool: a 429 suspends at once, and after an hour the identity is back",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 1});
    ask(f, *pool, throttled);
    const auto back = f.now() + 1h;

    CHECK(next_slot_at(f, *pool) == back);
    f.advance(1h - 1us);
    CHECK(next_slot_at(f, *pool) == back);
    f.advance(1us);
    CHECK_FALSE(slot(f, *pool).token.empty());
}

TEMPLATE_LIST_TEST_CASE("identity pool: a Retry-After beyond the hour is waited for", "[contract][identity_pool]",
                        PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 1});
    ask(f, *pool, ports::SlotReport(throttled, "MINISHOP", 90min));

    CHECK(next_slot_at(f, *pool) == f.now() + 90min);
}

TEMPLATE_LIST_TEST_CASE("identity pool: the others go on while one is suspended", "[contract][identity_pool]",
                        PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 3});
    const auto suspended = ask(f, *pool, throttled).identity;

    for (int i = 0; i < 10; ++i) {
        CHECK(ask(f, *pool).identity != suspended);
        f.advance(1s);
    }
}

TEMPLATE_LIST_TEST_CASE("identity pool: one whose health falls below thirty is in quarantine for six hours",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 1});
    for (int i = 0; i < 7; ++i) {
        ask(f, *pool, server_error);  // 100 -> 30
        f.advance(1s);
    }

    ask(f, *pool, failed);

    CHECK(next_slot_at(f, *pool) == f.now() + 6h);
    f.advance(6h);
    slot(f, *pool);
}

TEMPLATE_LIST_TEST_CASE("identity pool: nothing is lent while less than a fifth is available, for ten minutes",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 6});
    for (int i = 0; i < 4; ++i) ask(f, *pool, throttled);
    ask(f, *pool);  // 2 of 6 left
    f.advance(1s);
    ask(f, *pool, throttled);  // 1 of 6
    const auto open_until = f.now() + 10min;

    CHECK(next_slot_at(f, *pool) == open_until);
    f.advance(10min - 1us);
    CHECK(next_slot_at(f, *pool) == open_until);
}

TEMPLATE_LIST_TEST_CASE("identity pool: at exactly a fifth requests go on", "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 5});

    for (int i = 0; i < 4; ++i) ask(f, *pool, throttled);

    slot(f, *pool);
}

TEMPLATE_LIST_TEST_CASE("identity pool: after the ten minutes there is one probe, and the others wait for it",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 12, .lease = 60s});
    for (int i = 0; i < 10; ++i) ask(f, *pool, throttled);  // 2 of 12
    f.advance(10min);
    const auto probe = slot(f, *pool);

    CHECK(next_slot_at(f, *pool) == f.now() + 60s);

    SECTION("it fails: the ten minutes begin anew") {
        report(f, *pool, probe, server_error);
        CHECK(next_slot_at(f, *pool) == f.now() + 10min);
    }
    SECTION("it succeeds, but too few are available: likewise") {
        report(f, *pool, probe, succeeded);
        CHECK(next_slot_at(f, *pool) == f.now() + 10min);
    }
    SECTION("its owner died: another gets it when its lease is over") {
        f.advance(60s);
        slot(f, *pool);
        CHECK(next_slot_at(f, *pool) == f.now() + 60s);
        CHECK(code_of(f.run(pool->report(probe, succeeded))) == "CONFLICT");
    }
}

TEMPLATE_LIST_TEST_CASE("identity pool: a probe that succeeds when enough are back lets everybody through",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 3});
    for (int i = 0; i < 3; ++i) ask(f, *pool, throttled);
    f.advance(1h);

    ask(f, *pool);

    slot(f, *pool);
    slot(f, *pool);
}

TEMPLATE_LIST_TEST_CASE("identity pool: where three identities fail on one endpoint at once, none of them is worse off",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 4});
    std::set<std::string> failed_ones;
    for (int i = 0; i < 3; ++i)
        failed_ones.insert(ask(f, *pool, ports::SlotReport(server_error, "PRODUCT_DETAIL")).identity.value);
    const auto fourth = ask(f, *pool).identity.value;
    f.advance(10s);

    // All equal: so the one goes last that was used last.
    for (int i = 0; i < 3; ++i) CHECK(failed_ones.erase(ask(f, *pool).identity.value) == 1);
    CHECK(ask(f, *pool).identity.value == fourth);
}

TEMPLATE_LIST_TEST_CASE(
    "identity pool: failures on different endpoints, or with a success in between, are the identities' own",
    "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 4});
    ask(f, *pool, ports::SlotReport(server_error, "PRODUCT_DETAIL"));
    ask(f, *pool, ports::SlotReport(server_error, "PRODUCT_OPTION"));
    const auto sound = ask(f, *pool, ports::SlotReport(succeeded, "PRODUCT_DETAIL")).identity;
    ask(f, *pool, ports::SlotReport(server_error, "PRODUCT_DETAIL"));
    f.advance(10s);

    CHECK(ask(f, *pool).identity == sound);
    f.advance(10s);
    CHECK(ask(f, *pool).identity == sound);
}

TEMPLATE_LIST_TEST_CASE("identity pool: a 429 is the identity's own, however many get one", "[contract][identity_pool]",
                        PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 3});
    for (int i = 0; i < 3; ++i) ask(f, *pool, ports::SlotReport(throttled, "PRODUCT_DETAIL"));

    CHECK(next_slot_at(f, *pool) == f.now() + 1h);
}

TEMPLATE_LIST_TEST_CASE("identity pool: the host's ceiling holds above all identities", "[contract][identity_pool]",
                        PoolFixtures) {
    TestType f;
    const auto pool =
        f.make({.identities = 10, .guard = 10s, .ceiling = {.per_second = 3, .per_hour = 5, .guard = 10s}});
    for (int i = 0; i < 3; ++i) ask(f, *pool);
    const auto first = f.now();

    CHECK(next_slot_at(f, *pool) == first + 1s);
    f.advance(1s);
    for (int i = 0; i < 2; ++i) ask(f, *pool);
    CHECK(next_slot_at(f, *pool) == first + 1h + 10s);
}

TEMPLATE_LIST_TEST_CASE("identity pool: no more requests are under way than may be at once",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 10, .lease = 60s, .at_once = 2});
    const auto first = slot(f, *pool);
    f.advance(10s);
    slot(f, *pool);

    CHECK(next_slot_at(f, *pool) == first.valid_until);
    report(f, *pool, first, succeeded);
    slot(f, *pool);
    f.advance(50s);
    CHECK(next_slot_at(f, *pool) == f.now() + 10s);
    f.advance(10s);
    slot(f, *pool);
}
