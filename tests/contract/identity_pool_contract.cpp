#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <map>
#include <set>

#include "contract/fixtures/all.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

template <class Fixture>
std::variant<ports::Slot, ports::NextSlotAt> reserve(Fixture& f, ports::IdentityPool& pool) {
    auto reserved = f.run(pool.reserve());
    REQUIRE(reserved);
    return *reserved;
}

template <class Fixture>
ports::Slot slot(Fixture& f, ports::IdentityPool& pool) {
    auto reserved = reserve(f, pool);
    REQUIRE(std::holds_alternative<ports::Slot>(reserved));
    return std::get<ports::Slot>(reserved);
}

template <class Fixture>
TimePoint next_slot_at(Fixture& f, ports::IdentityPool& pool) {
    auto reserved = reserve(f, pool);
    REQUIRE(std::holds_alternative<ports::NextSlotAt>(reserved));
    return std::get<ports::NextSlotAt>(reserved).time;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("identity pool: a slot names an identity and how it presents itself",
                        "[contract][identity_pool]", IdentityFixtures) {
    TestType f;
    const auto pool = f.make(1, 80, 1h, 1s, 60s);

    const auto reserved = slot(f, *pool);

    CHECK_FALSE(reserved.reservation.empty());
    CHECK_FALSE(reserved.identity.value.empty());
    CHECK_FALSE(reserved.user_agent.empty());
    CHECK_FALSE(reserved.token.empty());
}

TEMPLATE_LIST_TEST_CASE("identity pool: between two slots of one identity lies the spacing",
                        "[contract][identity_pool]", IdentityFixtures) {
    TestType f;
    const auto pool = f.make(1, 80, 1h, 1s, 60s);
    slot(f, *pool);

    CHECK(next_slot_at(f, *pool) == f.now() + 1s);
    f.advance(1s - 1us);
    CHECK(next_slot_at(f, *pool) == f.now() + 1us);
    f.advance(1us);
    slot(f, *pool);
}

TEMPLATE_LIST_TEST_CASE("identity pool: the next identity is lent while the first one rests",
                        "[contract][identity_pool]", IdentityFixtures) {
    TestType f;
    const auto pool = f.make(3, 80, 1h, 1s, 60s);

    const std::set<std::string> identities{slot(f, *pool).identity.value, slot(f, *pool).identity.value,
                                           slot(f, *pool).identity.value};

    CHECK(identities.size() == 3);
    CHECK(next_slot_at(f, *pool) == f.now() + 1s);
}

TEMPLATE_LIST_TEST_CASE("identity pool: when the budget is spent it says exactly when there is more",
                        "[contract][identity_pool]", IdentityFixtures) {
    TestType f;
    const auto pool = f.make(1, 3, 1h, 1s, 60s);
    const auto first = f.now();
    for (int i = 0; i < 3; ++i) {
        slot(f, *pool);
        f.advance(10s);
    }

    CHECK(next_slot_at(f, *pool) == first + 1h);
    f.advance(1h - 30s);
    slot(f, *pool);
    CHECK(next_slot_at(f, *pool) == first + 1h + 10s);
}

TEMPLATE_LIST_TEST_CASE("identity pool: the spacing holds also where the budget has come back earlier",
                        "[contract][identity_pool]", IdentityFixtures) {
    TestType f;
    const auto pool = f.make(1, 2, 10s, 8s, 60s);
    slot(f, *pool);
    f.advance(8s);
    slot(f, *pool);

    CHECK(next_slot_at(f, *pool) == f.now() + 8s);
}

TEMPLATE_LIST_TEST_CASE("identity pool: whoever asks whenever told, no window ever holds more than the limit",
                        "[contract][identity_pool]", IdentityFixtures) {
    TestType f;
    const auto pool = f.make(2, 5, 60s, 1s, 10s);
    std::map<std::string, std::vector<TimePoint>> log;
    while (f.now() < t0 + 10min) {
        auto reserved = reserve(f, *pool);
        if (const auto* next = std::get_if<ports::NextSlotAt>(&reserved)) {
            REQUIRE(next->time > f.now());
            f.advance(next->time - f.now());
        } else {
            log[std::get<ports::Slot>(reserved).identity.value].push_back(f.now());
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
                        IdentityFixtures) {
    TestType f;
    const auto pool = f.make(1, 1, 1h, 1s, 60s);
    const auto first = f.now();
    const auto reserved = slot(f, *pool);
    f.advance(5s);

    SECTION("it succeeded") {
        CHECK(f.run(pool->report(reserved, ports::SlotOutcome::succeeded)));
    }
    SECTION("it failed") {
        CHECK(f.run(pool->report(reserved, ports::SlotOutcome::failed)));
    }
    SECTION("nobody ever said") {
        f.advance(2min);
    }

    CHECK(next_slot_at(f, *pool) >= first + 1h);
}

TEMPLATE_LIST_TEST_CASE("identity pool: an outcome is reported once", "[contract][identity_pool]", IdentityFixtures) {
    TestType f;
    const auto pool = f.make(1, 80, 1h, 1s, 60s);
    const auto reserved = slot(f, *pool);

    CHECK(f.run(pool->report(reserved, ports::SlotOutcome::succeeded)));
    CHECK(code_of(f.run(pool->report(reserved, ports::SlotOutcome::succeeded))) == "CONFLICT");
}

TEMPLATE_LIST_TEST_CASE("identity pool: a report after the lease is a conflict", "[contract][identity_pool]",
                        IdentityFixtures) {
    TestType f;
    const auto pool = f.make(2, 80, 1h, 1s, 60s);
    const auto in_time = slot(f, *pool);
    const auto late = slot(f, *pool);

    f.advance(60s - 1us);
    CHECK(f.run(pool->report(in_time, ports::SlotOutcome::server_error)));
    f.advance(1us);
    CHECK(code_of(f.run(pool->report(late, ports::SlotOutcome::succeeded))) == "CONFLICT");
}

TEMPLATE_LIST_TEST_CASE("identity pool: a reservation that never was is a conflict", "[contract][identity_pool]",
                        IdentityFixtures) {
    TestType f;
    const auto pool = f.make(1, 80, 1h, 1s, 60s);
    auto made_up = slot(f, *pool);
    made_up.reservation = "made up";

    CHECK(code_of(f.run(pool->report(made_up, ports::SlotOutcome::succeeded))) == "CONFLICT");
}
