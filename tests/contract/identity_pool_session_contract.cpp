// How identities come by their tokens, and what the pool says of itself.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <set>

#include "contract/fixtures/pool_steps.hpp"
#include "contract/fixtures/redis.hpp"

using namespace crawler;
using namespace crawler::test;
using enum crawler::ports::SlotOutcome;

namespace {

const SessionPolicy sessions{.lifetime = 20h, .spread = 4h, .retry = 5min, .at_once = 3, .look_again = 1s};
const Error is_down{Errc::unavailable, "503"};

template <class Fixture>
std::variant<ports::Slot, ports::NextSlotAt> reserve_session(Fixture& f, ports::IdentityPool& pool) {
    auto reserved = f.run(pool.reserve_for_session());
    REQUIRE(reserved);
    return *reserved;
}
template <class Fixture>
ports::Slot session_slot(Fixture& f, ports::IdentityPool& pool) {
    auto reserved = reserve_session(f, pool);
    REQUIRE(std::holds_alternative<ports::Slot>(reserved));
    return std::get<ports::Slot>(reserved);
}
template <class Fixture>
TimePoint next_session_at(Fixture& f, ports::IdentityPool& pool) {
    auto reserved = reserve_session(f, pool);
    REQUIRE(std::holds_alternative<ports::NextSlotAt>(reserved));
    return std::get<ports::NextSlotAt>(reserved).time;
}
template <class Fixture>
UserAgentId try_session(Fixture& f, ports::IdentityPool& pool, Result<Secret> session) {
    auto lent = session_slot(f, pool);
    REQUIRE(f.run(pool.report_session(lent, std::move(session))));
    return lent.identity;
}
template <class Fixture>
UserAgentId open_session(Fixture& f, ports::IdentityPool& pool) {
    return try_session(f, pool, Secret("a token"));
}
template <class Fixture>
ports::PoolView look(Fixture& f, ports::IdentityPool& pool, Duration horizon = 0s) {
    auto view = f.run(pool.look(horizon));
    REQUIRE(view);
    return *view;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("identity pool: nobody is lent without a token, and whoever asks is told to look again",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 2, .sessions = sessions});

    CHECK(next_slot_at(f, *pool) == f.now() + 1s);

    const auto with_token = open_session(f, *pool);
    f.advance(1s);
    const auto lent = slot(f, *pool);
    CHECK(lent.identity == with_token);
    CHECK(lent.token.reveal() == "a token");
}

TEMPLATE_LIST_TEST_CASE("identity pool: a session's slot says as whom it is to be opened", "[contract][identity_pool]",
                        PoolFixtures) {
    TestType f;
    const auto pool = f.make({.sessions = sessions});

    const auto lent = session_slot(f, *pool);

    CHECK_FALSE(lent.reservation.empty());
    CHECK_FALSE(lent.user_agent.empty());
    CHECK(lent.token.empty());
    CHECK(lent.valid_until == f.now() + 60s);
}

TEMPLATE_LIST_TEST_CASE("identity pool: opening a session is a request like any other", "[contract][identity_pool]",
                        PoolFixtures) {
    TestType f;
    const auto pool = f.make({.limit = 2, .window = 1h, .guard = 10s, .sessions = sessions});
    open_session(f, *pool);
    const auto first = f.now();

    CHECK(next_slot_at(f, *pool) == first + 1s);
    f.advance(1s);
    ask(f, *pool);
    CHECK(next_slot_at(f, *pool) == first + 1h + 10s);
}

TEMPLATE_LIST_TEST_CASE("identity pool: no more sessions are being opened than may be at once",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    auto two_at_once = sessions;
    two_at_once.at_once = 2;
    const auto pool = f.make({.identities = 5, .lease = 60s, .sessions = two_at_once});
    const auto first = session_slot(f, *pool);
    f.advance(10s);
    session_slot(f, *pool);

    CHECK(next_session_at(f, *pool) == first.valid_until);
    REQUIRE(f.run(pool->report_session(first, Secret("a token"))));
    session_slot(f, *pool);
}

TEMPLATE_LIST_TEST_CASE("identity pool: after three failures in a row an identity is blocked, and not before",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.sessions = sessions});
    for (int failures = 1; failures < 3; ++failures) {
        try_session(f, *pool, is_down);
        CHECK(next_session_at(f, *pool) == f.now() + 5min);
        f.advance(5min);
    }
    CHECK(look(f, *pool).identities.available == 1);

    try_session(f, *pool, is_down);

    CHECK(look(f, *pool).identities.blocked == 1);
    CHECK(code_of(f.run(pool->reserve_for_session())) == "UNAVAILABLE");
}

TEMPLATE_LIST_TEST_CASE("identity pool: a session that was opened makes the failures before it forgotten",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.sessions = sessions});
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 2; ++i) {
            try_session(f, *pool, is_down);
            f.advance(5min);
        }
        open_session(f, *pool);
        f.advance(1s);
        ask(f, *pool, refused);  // the token is gone
        f.advance(1s);
    }

    CHECK(look(f, *pool).identities.available == 1);
}

TEMPLATE_LIST_TEST_CASE("identity pool: where several fail to open a session at once nobody is punished or blocked",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 3, .sessions = sessions});

    for (int round = 0; round < 5; ++round) {
        std::set<std::string> tried;
        for (int i = 0; i < 3; ++i) tried.insert(try_session(f, *pool, is_down).value);
        CHECK(tried.size() == 3);
        CHECK(next_session_at(f, *pool) == f.now() + 5min);
        f.advance(5min);
    }

    CHECK(look(f, *pool).identities.available == 3);
    CHECK(look(f, *pool).identities.health_min == 100);
}

TEMPLATE_LIST_TEST_CASE("identity pool: whom a failure of the site has blocked is back when others fail with it",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 3, .sessions = sessions});
    const auto unlucky = try_session(f, *pool, is_down);
    open_session(f, *pool);
    open_session(f, *pool);
    f.advance(5min);
    CHECK(try_session(f, *pool, is_down) == unlucky);
    f.advance(5min);
    for (int i = 0; i < 2; ++i) ask(f, *pool, refused);  // the others need sessions, too
    CHECK(try_session(f, *pool, is_down) == unlucky);
    CHECK(look(f, *pool).identities.blocked == 1);
    f.advance(1s);

    for (int i = 0; i < 2; ++i) try_session(f, *pool, is_down);

    CHECK(look(f, *pool).identities.blocked == 0);
    CHECK(look(f, *pool).identities.available == 3);
}

TEMPLATE_LIST_TEST_CASE("identity pool: a 429 for a session suspends, whoever else has one",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 1, .sessions = sessions});
    const Error throttled{Errc::rate_limited, "429", 90min};

    try_session(f, *pool, throttled);

    CHECK(look(f, *pool).identities.suspended == 1);
    CHECK(next_session_at(f, *pool) == f.now() + 90min);
}

TEMPLATE_LIST_TEST_CASE("identity pool: a session that failed costs health", "[contract][identity_pool]",
                        PoolFixtures) {
    TestType f;
    const auto pool = f.make({.sessions = sessions});
    const auto [code, health] = GENERATE(table<Errc, int>({{Errc::unavailable, 90},
                                                           {Errc::blocked, 95},
                                                           {Errc::not_found, 95},
                                                           {Errc::timeout, 95},
                                                           {Errc::invalid, 95}}));

    try_session(f, *pool, Error{code, "no"});

    CHECK(look(f, *pool).identities.health_min == health);
}

TEMPLATE_LIST_TEST_CASE("identity pool: an empty token is none", "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.sessions = sessions});

    try_session(f, *pool, Secret(""));

    CHECK(next_session_at(f, *pool) == f.now() + 5min);
}

TEMPLATE_LIST_TEST_CASE("identity pool: tokens that grow old are renewed, each identity's at its own moment",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 8, .sessions = sessions});
    for (int i = 0; i < 8; ++i) open_session(f, *pool);
    const auto issued = f.now();

    std::set<std::string> renewed;
    std::set<TimePoint> moments;
    for (int i = 0; i < 8; ++i) {
        const auto due = next_session_at(f, *pool);
        CHECK(due >= issued + 16h);
        CHECK(due <= issued + 20h);
        moments.insert(due);
        f.advance(due - f.now());
        const auto lent = session_slot(f, *pool);
        CHECK(lent.token.reveal() == "a token");
        renewed.insert(lent.identity.value);
        REQUIRE(f.run(pool->report_session(lent, Secret("a new one"))));
        f.advance(1s);
        ask(f, *pool);
    }
    CHECK(renewed.size() == 8);
    CHECK(moments.size() == 8);
}

TEMPLATE_LIST_TEST_CASE("identity pool: who has no token comes before those whose token is old",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 2, .sessions = sessions});
    const auto first = open_session(f, *pool);
    f.advance(21h);

    CHECK(open_session(f, *pool) != first);
    CHECK(open_session(f, *pool) == first);
}

TEMPLATE_LIST_TEST_CASE("identity pool: who comes back from a suspension needs a session first",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 1, .sessions = sessions});
    open_session(f, *pool);
    f.advance(1s);
    ask(f, *pool, throttled);
    CHECK(next_session_at(f, *pool) == f.now() + 1h);
    f.advance(1h + 10min);  // and the breaker has been open for long enough

    CHECK(next_slot_at(f, *pool) == f.now() + 1s);
    open_session(f, *pool);
    f.advance(1s);
    CHECK_FALSE(slot(f, *pool).token.empty());
}

TEMPLATE_LIST_TEST_CASE("identity pool: the probe of the breaker may be a session", "[contract][identity_pool]",
                        PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 3, .lease = 60s, .sessions = sessions});
    for (int i = 0; i < 3; ++i) try_session(f, *pool, Error{Errc::rate_limited, "429"});
    CHECK(look(f, *pool).breaker == BreakerStatus::open);
    f.advance(1h);
    const auto probe = session_slot(f, *pool);
    CHECK(next_session_at(f, *pool) == f.now() + 60s);

    SECTION("it opens: everybody goes on") {
        REQUIRE(f.run(pool->report_session(probe, Secret("a token"))));
        CHECK(look(f, *pool).breaker == BreakerStatus::closed);
        session_slot(f, *pool);
    }
    SECTION("it does not: the ten minutes begin anew") {
        REQUIRE(f.run(pool->report_session(probe, is_down)));
        CHECK(next_session_at(f, *pool) == f.now() + 10min);
    }
}

TEMPLATE_LIST_TEST_CASE("identity pool: a session is reported once, in time, and as what it is",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 1, .lease = 60s, .sessions = sessions});
    const auto lent = session_slot(f, *pool);

    SECTION("it is no request") {
        CHECK(code_of(f.run(pool->report(lent, succeeded))) == "CONFLICT");
        CHECK(f.run(pool->report_session(lent, Secret("a token"))));
    }
    SECTION("a request is no session") {
        REQUIRE(f.run(pool->report_session(lent, Secret("a token"))));
        f.advance(1s);
        const auto request = slot(f, *pool);
        CHECK(code_of(f.run(pool->report_session(request, Secret("mine")))) == "CONFLICT");
    }
    SECTION("once") {
        REQUIRE(f.run(pool->report_session(lent, Secret("a token"))));
        CHECK(code_of(f.run(pool->report_session(lent, Secret("another")))) == "CONFLICT");
    }
    SECTION("in time") {
        f.advance(60s);
        CHECK(code_of(f.run(pool->report_session(lent, Secret("late")))) == "CONFLICT");
        CHECK(next_session_at(f, *pool) == lent.valid_until + 11s);
    }
}

TEMPLATE_LIST_TEST_CASE("identity pool: where tokens are made up nobody needs a session", "[contract][identity_pool]",
                        PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 2});

    CHECK(next_session_at(f, *pool) > f.now() + 1h);
    CHECK_FALSE(slot(f, *pool).token.empty());
}

TEMPLATE_LIST_TEST_CASE("identity pool: its view counts identities, health and what is left",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;
    const auto pool = f.make({.identities = 4, .limit = 10, .ceiling = {.per_second = 100, .per_hour = 25}});
    ask(f, *pool, throttled);
    ask(f, *pool, server_error);
    ask(f, *pool);

    const auto view = look(f, *pool);

    CHECK(view.identities.total == 4);
    CHECK(view.identities.available == 3);
    CHECK(view.identities.suspended == 1);
    CHECK(view.identities.health_min == 80);
    CHECK(view.identities.health_max == 100);
    CHECK(view.identities.health_sum == 80 + 90 + 100 + 100);
    CHECK(view.identities.budget_left == 28);
    CHECK(view.left_this_hour == 22);
    CHECK(view.breaker == BreakerStatus::closed);
}

TEMPLATE_LIST_TEST_CASE("identity pool: what it can serve soon is bounded by whatever is least",
                        "[contract][identity_pool]", PoolFixtures) {
    TestType f;

    SECTION("the spacing") {
        const auto pool = f.make({.identities = 2});
        CHECK(look(f, *pool, 9s).servable == 20);
    }
    SECTION("the host's seconds") {
        const auto pool = f.make({.identities = 50, .ceiling = {.per_second = 2, .per_hour = 4000}});
        CHECK(look(f, *pool, 9s).servable == 20);
    }
    SECTION("the host's hour") {
        const auto pool = f.make({.identities = 50, .ceiling = {.per_second = 10, .per_hour = 7}});
        CHECK(look(f, *pool, 9s).servable == 7);
    }
    SECTION("the windows, and what comes back of them") {
        const auto pool = f.make({.limit = 3, .window = 1h, .guard = 10s});
        for (int i = 0; i < 3; ++i) {
            ask(f, *pool);
            f.advance(10s);
        }
        CHECK(look(f, *pool, 0s).servable == 0);
        CHECK(look(f, *pool, 1h - 20s).servable == 1);
        CHECK(look(f, *pool, 1h).servable == 3);
    }
    SECTION("the breaker: one probe as soon as it may be made") {
        const auto pool = f.make({.identities = 3});
        for (int i = 0; i < 3; ++i) ask(f, *pool, throttled);
        CHECK(look(f, *pool, 1min).servable == 0);
        f.advance(1h);
        slot(f, *pool);
        CHECK(look(f, *pool, 0s).servable == 0);
        CHECK(look(f, *pool, 2min).servable == 1);
    }
}
