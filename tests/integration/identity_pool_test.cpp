// The identity pool on a database, as several processes see it: one budget, one breaker, one clock, and nothing that a scan would find.
#include <soci/soci.h>

#include <atomic>
#include <catch2/catch_template_test_macros.hpp>
#include <set>
#include <thread>

#include "adapters/sql/identity_budget.hpp"
#include "adapters/system/system.hpp"
#include "integration/identity_pool_world.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;
using enum crawler::ports::SlotOutcome;

namespace {

using Worlds = std::tuple<PoolWorld<SqliteStores>, PoolWorld<MariaDbStores>>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("sql identity pool: processes share each identity's budget", "[integration][identity_pool]",
                        Worlds) {
    TestType w;
    w.config.limits = {.limit = 3};
    w.enroll(1);
    auto& one = w.process();
    auto& other = w.process();
    const auto first = w.now();
    for (int i = 0; i < 3; ++i) {
        ask(w, i % 2 == 0 ? one : other);
        w.advance(10s);
    }

    CHECK(next_slot_at(w, one) == first + 1h + 10s);
    CHECK(next_slot_at(w, other) == first + 1h + 10s);
}

TEMPLATE_LIST_TEST_CASE("sql identity pool: three failures that three processes see are the endpoint's",
                        "[integration][identity_pool]", Worlds) {
    TestType w;
    w.enroll(3);
    for (int i = 0; i < 3; ++i) ask(w, w.process(), ports::SlotReport(server_error, "PRODUCT_DETAIL"));

    for (const auto& agent : *w.run(w.user_agents->all())) CHECK(agent.state().health == 100);
}

TEMPLATE_LIST_TEST_CASE("sql identity pool: what one process's failures opened is open for all",
                        "[integration][identity_pool]", Worlds) {
    TestType w;
    w.enroll(3);
    auto& one = w.process();
    auto& other = w.process();
    for (int i = 0; i < 3; ++i) ask(w, one, throttled);

    CHECK(w.run(other.look(0s))->breaker == BreakerStatus::open);
    w.advance(1h);
    const auto probe = slot(w, one);
    CHECK(next_slot_at(w, other) == probe.valid_until);
    report(w, one, probe, succeeded);
    CHECK(w.run(other.look(0s))->breaker == BreakerStatus::closed);
    slot(w, other);
}

TEMPLATE_LIST_TEST_CASE("sql identity pool: a clock behind the latest that anybody saw is granted nothing",
                        "[integration][identity_pool]", Worlds) {
    TestType w;
    w.enroll(5);
    slot(w, w.process());
    ManualClock behind(w.now() - 1us);
    PoolProcess late(w.place.url(), "late", w.config, behind);

    CHECK(code_of(w.run(late.pool->reserve())) == "UNAVAILABLE");
    CHECK(code_of(w.run(late.pool->reserve_for_session())) == "UNAVAILABLE");
    CHECK(w.entries().size() == 1);
    behind.advance(1us);
    slot(w, *late.pool);
}

TEMPLATE_LIST_TEST_CASE("sql identity pool: an answer is never dated before what is known to have happened",
                        "[integration][identity_pool]", Worlds) {
    TestType w;
    w.enroll(1);
    const auto lent = slot(w, w.process());
    ManualClock behind(w.now() - 1h);
    PoolProcess late(w.place.url(), "late", w.config, behind);

    REQUIRE(w.run(late.pool->report(lent, succeeded)));

    CHECK(w.entries().at(0).answered == w.now());
}

TEST_CASE("sql identity pool: on a server its clock counts, and the caller is answered by its own",
          "[integration][identity_pool]") {
    PoolWorld<MariaDbStores> w;
    w.config.server_clock = true;
    w.config.limits.limit = 1;
    w.enroll(1);
    const auto server_time = [&] {
        TimePoint now;
        w.in_session([&](auto& session) { now = session.select_one({session.dialect().clock()}, "")->instant(); });
        return now;
    };
    auto& pool = w.process();

    const auto before = server_time();
    const auto lent = slot(w, pool);
    const auto after = server_time();

    const auto reserved = w.entries().at(0).reserved;
    CHECK(before <= reserved);
    CHECK(reserved <= after);
    CHECK(lent.valid_until == w.now() + 60s);
    report(w, pool, lent, succeeded);
    const auto next = next_slot_at(w, pool);
    CHECK(next > w.now() + 59min);
    CHECK(next <= w.now() + 1h + 10s);
    CHECK(w.entries().at(0).answered >= reserved);
}

TEST_CASE("sql identity pool: a server whose clock steps back grants nothing until it has caught up",
          "[integration][identity_pool]") {
    PoolWorld<MariaDbStores> w;
    w.config.server_clock = true;
    w.enroll(2);
    auto& pool = w.process();
    slot(w, pool);
    w.in_session([](auto& session) { session.execute("UPDATE identity_pool SET seen_at = seen_at + 3600000000"); });

    CHECK(code_of(w.run(pool.reserve())) == "UNAVAILABLE");

    w.in_session([](auto& session) { session.execute("UPDATE identity_pool SET seen_at = seen_at - 3600000000"); });
    slot(w, pool);
}

TEMPLATE_LIST_TEST_CASE("sql identity pool: what an administrator changes beside the pool holds at once",
                        "[integration][identity_pool]", Worlds) {
    TestType w;
    w.enroll(2);
    auto& pool = w.process();
    const auto lent = slot(w, pool);
    auto blocked = w.identity(lent.identity.value);
    REQUIRE(blocked.block(w.now()));
    REQUIRE(w.run(w.user_agents->save(blocked)));

    CHECK(code_of(w.run(pool.report(lent, ports::SlotReport(server_error, "MINISHOP")))) == "CONFLICT");
    CHECK(w.run(pool.look(0s))->identities.blocked == 1);
    ask(w, pool);
    CHECK(next_slot_at(w, pool) == w.now() + 1s);

    auto unblocked = w.identity(lent.identity.value);
    REQUIRE(unblocked.unblock(w.config.health, w.now()));
    REQUIRE(w.run(w.user_agents->save(unblocked)));
    w.advance(1s);
    std::set<std::string> served{ask(w, pool).identity.value, ask(w, pool).identity.value};
    CHECK(served.contains(lent.identity.value));
}

TEMPLATE_LIST_TEST_CASE("sql identity pool: whoever is saved while its request is under way is not lent twice",
                        "[integration][identity_pool]", Worlds) {
    TestType w;
    w.enroll(1);
    auto& pool = w.process();
    const auto lent = slot(w, pool);
    auto agent = w.identity(lent.identity.value);
    REQUIRE(w.run(w.user_agents->save(agent)));

    CHECK(next_slot_at(w, pool) == lent.valid_until + 11s);
    CHECK(w.run(pool.report(lent, succeeded)));
}

TEMPLATE_LIST_TEST_CASE("sql identity pool: whoever read an identity before it was lent cannot save over that",
                        "[integration][identity_pool]", Worlds) {
    TestType w;
    w.enroll(1);
    auto& pool = w.process();
    auto read_before = w.identity("ua-1");
    ask(w, pool, server_error);

    REQUIRE(read_before.block(w.now()));

    CHECK(code_of(w.run(w.user_agents->save(read_before))) == "CONFLICT");
    CHECK(w.identity("ua-1").state().health == 90);
}

TEMPLATE_LIST_TEST_CASE("sql identity pool: limits that were lowered hold at once, whatever was promised before",
                        "[integration][identity_pool]", Worlds) {
    TestType w;
    w.enroll(1);
    auto& generous = w.process();
    const auto first = w.now();
    for (int i = 0; i < 4; ++i) {
        ask(w, generous);
        w.advance(10s);
    }
    w.config.limits.limit = 2;
    auto& strict = w.process();

    CHECK(next_slot_at(w, strict) == first + 20s + 1h + 10s);
}

TEMPLATE_LIST_TEST_CASE("sql identity pool: tokens are stored sealed, and sealed anew with the key of now",
                        "[integration][identity_pool]", Worlds) {
    TestType w;
    w.config.sessions.made_up = false;
    w.enroll(3);
    auto& pool = w.process();
    for (int i = 0; i < 3; ++i) {
        auto reserved = w.run(pool.reserve_for_session());
        REQUIRE(reserved);
        REQUIRE(w.run(pool.report_session(std::get<ports::Slot>(*reserved), Secret("plain-text-token"))));
    }
    const auto count = [&](const std::string& pattern) {
        std::int64_t rows = 0;
        w.in_session(
            [&](auto& session) { rows = session.number("COUNT(*) FROM user_agents WHERE token LIKE ?", {pattern}); });
        return rows;
    };
    CHECK(count("v1:k1:%") == 3);
    CHECK(count("%plain%") == 0);
    const adapters::TokenKeys both{.current = "k2",
                                   .keys = {{"k1", test_keys().keys.at("k1")}, {"k2", Secret(std::string(32, '2'))}}};
    const adapters::TokenKeys only_new{.current = "k2", .keys = {{"k2", Secret(std::string(32, '2'))}}};

    const auto resealed = w.run(adapters::reseal_tokens(*w.database, both));

    REQUIRE(resealed);
    CHECK(resealed->resealed == 3);
    CHECK(count("v1:k2:%") == 3);
    CHECK(w.run(adapters::reseal_tokens(*w.database, both))->current == 3);
    w.advance(1s);
    PoolProcess anew(w.place.url(), "anew", w.config, w.clock, only_new);
    CHECK(slot(w, *anew.pool).token.reveal() == "plain-text-token");

    const auto lost = w.run(adapters::reseal_tokens(*w.database, test_keys()));
    CHECK(lost->unreadable == 3);
}

TEMPLATE_LIST_TEST_CASE("sql identity pool: whose token cannot be unsealed any more needs a session, and is not lent",
                        "[integration][identity_pool]", Worlds) {
    TestType w;
    w.enroll(1);
    ask(w, w.process());
    w.advance(1s);
    w.config.sessions.made_up = false;
    const adapters::TokenKeys others{.current = "k9", .keys = {{"k9", Secret(std::string(32, '9'))}}};
    PoolProcess stranger(w.place.url(), "stranger", w.config, w.clock, others);

    CHECK(next_slot_at(w, *stranger.pool) == w.now() + 1s);
    auto reserved = w.run(stranger.pool->reserve_for_session());
    REQUIRE(reserved);
    CHECK(std::holds_alternative<ports::Slot>(*reserved));
}

TEMPLATE_LIST_TEST_CASE("sql identity pool: processes that reserve and report all at once never fail",
                        "[integration][identity_pool]", Worlds) {
    TestType w;
    constexpr int threads = 4, rounds = 25;
    w.enroll(threads * rounds);
    w.config.ceiling.per_second = 10'000;
    const auto clock = adapters::make_system_clock();
    std::atomic<int> failures = 0;
    {
        std::vector<std::jthread> workers;
        for (int i = 0; i < threads; ++i) {
            workers.emplace_back([&, i] {
                PoolProcess process(w.place.url(), "t" + std::to_string(i), w.config, *clock);
                for (int round = 0; round < rounds; ++round) {
                    auto reserved = run(process.pool->reserve());
                    if (!reserved || !std::holds_alternative<ports::Slot>(*reserved)) {
                        ++failures;
                        continue;
                    }
                    if (!run(process.pool->report(std::get<ports::Slot>(*reserved), succeeded))) ++failures;
                }
            });
        }
    }

    CHECK(failures == 0);
    CHECK(w.entries().size() == threads * rounds);
}
