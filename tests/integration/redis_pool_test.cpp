// The pool on Redis where it hurts: Redis forgets, comes back with old news, steps back in time, or is seen by some and not by others.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

#include "adapters/sql/trouble.hpp"
#include "integration/redis_pool_world.hpp"
#include "support/arrival_judge.hpp"
#include "support/chance.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;
using enum crawler::ports::SlotOutcome;

TEST_CASE(
    "redis identity pool: what Redis forgot in a crash is counted, and its identity rests until nobody can be at it",
    "[integration][identity_pool]") {
    RedisWorld w;
    w.enroll(1);
    auto& one = w.redis_process();
    ask(w, *one.pool);
    const auto begun = w.now();

    w.crash_redis();

    (void)reserve(w, *one.pool);  // finds that the connection broke
    CHECK(next_slot_at(w, *one.pool) >= begun + w.block_end());
    w.advance(w.block_end() + 1s);
    ask(w, *one.pool);
}

TEST_CASE("redis identity pool: a Redis that comes back with an old file grants nothing twice",
          "[integration][identity_pool]") {
    RedisWorld w;
    w.config.limits.spacing = 500ms;
    w.enroll(1);
    auto& one = w.redis_process();
    // More is fetched within a second, so the second block has two requests, one of which is not made when the file is written.
    ask(w, *one.pool);
    w.advance(500ms);
    const auto kept = ask(w, *one.pool);
    w.keep();
    w.advance(500ms);
    const auto lost = ask(w, *one.pool);
    REQUIRE(ports::block_of(kept.reservation) == ports::block_of(lost.reservation));
    w.advance(500ms);

    w.crash_redis();

    CHECK(w.server.ask({"EXISTS", "{crawler}:state"}) == "1\n");
    (void)reserve(w, *one.pool);  // finds that the connection broke
    CHECK(next_slot_at(w, *one.pool) > w.now() + 10s);
}

TEST_CASE("redis identity pool: while Redis' clock is behind, the database serves, and it hands back",
          "[integration][identity_pool]") {
    RedisWorld w;
    w.enroll(3);
    auto& one = w.redis_process();
    ask(w, *one.pool);
    const auto ahead = std::to_string((w.now() + 5s).time_since_epoch().count());
    w.server.ask({"HSET", "{crawler}:pool", "seen", ahead});

    w.advance(4s);
    (void)reserve(w, *one.pool);
    REQUIRE(one.changes.size() == 2);
    CHECK_FALSE(one.changes[1].first);
    CHECK(one.changes[1].second.find("stepped back") != std::string::npos);

    w.advance(1min + 30s);
    ask(w, *one.pool);
    CHECK(one.changes.back().first);
}

TEST_CASE("redis identity pool: without Redis the database serves, and when Redis is back it serves again",
          "[integration][identity_pool]") {
    RedisWorld w;
    w.enroll(3);
    auto& one = w.redis_process();
    ask(w, *one.pool);
    w.server.kill();
    w.advance(w.block_end() + 1s);

    const auto by_database = ask(w, *one.pool);
    CHECK(ports::block_of(by_database.reservation).empty());
    w.server.start();
    const auto by_redis = ask(w, *one.pool);
    CHECK_FALSE(ports::block_of(by_redis.reservation).empty());

    std::vector<bool> served;
    for (const auto& [redis, why] : one.changes) served.push_back(redis);
    CHECK(served == std::vector{true, false, true});
}

TEST_CASE("redis identity pool: where neither Redis nor the database answers, nobody gets a slot",
          "[integration][identity_pool]") {
    RedisWorld w;
    w.enroll(3);
    bool is_down = false;
    auto& one = w.redis_process([&is_down](std::string_view) {
        if (is_down) throw adapters::sql::DatabaseError(adapters::sql::Trouble::lost, "gone");
    });
    ask(w, *one.pool);

    w.server.kill();
    is_down = true;

    CHECK(code_of(w.run(one.pool->reserve())) == "UNAVAILABLE");
}

TEST_CASE("redis identity pool: without the database Redis grants what it was lent, and no more",
          "[integration][identity_pool]") {
    RedisWorld w;
    w.config.limits.limit = 4;
    w.enroll(1);
    bool is_down = false;
    auto& one = w.redis_process([&is_down](std::string_view) {
        if (is_down) throw adapters::sql::DatabaseError(adapters::sql::Trouble::lost, "gone");
    });
    for (int i = 0; i < 2; ++i) {
        ask(w, *one.pool);
        w.advance(500ms);
        w.advance(500ms);
    }
    is_down = true;

    int granted = 0;
    for (int i = 0; i < 20; ++i) {
        auto reserved = w.run(one.pool->reserve());
        if (reserved && std::holds_alternative<ports::Slot>(*reserved)) {
            ++granted;
            CHECK(w.run(one.pool->report(std::get<ports::Slot>(*reserved), succeeded)));
        }
        w.advance(1s);
    }
    is_down = false;

    CHECK(granted <= 2);
    CHECK(w.entries().size() <= 4);
}

TEST_CASE("redis identity pool: a 429 counts also while Redis cannot be told", "[integration][identity_pool]") {
    RedisWorld w;
    w.enroll(1);
    auto& one = w.redis_process();
    const auto lent = slot(w, *one.pool);

    w.server.kill();
    report(w, *one.pool, lent, throttled);

    CHECK(w.identity(lent.identity.value).state().status == UserAgentStatus::suspended);
    CHECK(code_of(w.run(one.pool->report(lent, succeeded))) == "CONFLICT");
}

TEST_CASE("redis identity pool: no token lies in Redis as it is", "[integration][identity_pool]") {
    RedisWorld w;
    w.config.sessions = {};
    w.enroll(1);
    auto& one = w.redis_process();
    const auto session = w.run(one.pool->reserve_for_session());
    REQUIRE(session);
    const std::string token = "a-token-that-nobody-may-see";
    REQUIRE(w.run(one.pool->report_session(std::get<ports::Slot>(*session), Secret(token))));
    w.advance(1s);
    CHECK(slot(w, *one.pool).token.reveal() == token);

    w.keep();

    std::ifstream file(w.server.folder() + "/kept.rdb", std::ios::binary);
    const std::string dump{std::istreambuf_iterator<char>(file), {}};
    CHECK(dump.find("v1:k1:") != std::string::npos);
    CHECK(dump.find(token) == std::string::npos);
}

TEST_CASE("redis identity pool: with and without Redis at once, through crashes of it, the server never sees too many",
          "[integration][identity_pool]") {
    RedisWorld w;
    w.config.limits = {.limit = 6, .span = 60s, .spacing = 1s, .guard = 2s};
    w.config.lease = 5s;
    w.config.ceiling.guard = 2s;
    w.enroll(3);
    std::vector<ports::IdentityPool*> pools{w.redis_process().pool.get(), w.redis_process().pool.get(), &w.process()};
    Chance chance(7);
    struct UnderWay {
        ports::IdentityPool* pool;
        ports::Slot slot;
        TimePoint answered_at;
    };
    std::vector<UnderWay> under_way;
    std::map<std::string, Arrivals> arrivals;
    int granted = 0;

    for (int step = 0; step < 1500; ++step) {
        // A file that is a few grants old is what it comes back with.
        if (step % 60 == 30) w.keep();
        if (step % 60 == 36) w.crash_redis();
        std::erase_if(under_way, [&](UnderWay& one) {
            if (one.answered_at > w.now()) return false;
            (void)w.run(one.pool->report(one.slot, chance.percent(90) ? succeeded : server_error));
            return true;
        });
        auto* pool = pools[static_cast<std::size_t>(chance.number(0, 2))];
        auto reserved = w.run(pool->reserve());
        if (reserved && std::holds_alternative<ports::Slot>(*reserved)) {
            ++granted;
            const auto& lent = std::get<ports::Slot>(*reserved);
            const auto answered_at = w.now() + Duration{chance.number(0, 4'000'000)};
            arrivals[lent.identity.value].push_back(chance.between(w.now(), answered_at));
            // One in ten dies with what it had.
            if (chance.percent(90)) under_way.push_back({pool, lent, answered_at});
        }
        w.advance(Duration{chance.number(0, 900'000)});
    }

    CHECK(granted > 60);
    CHECK(arrivals.size() == 3);
    for (const auto& [identity, times] : arrivals) {
        const auto found = judge(times, {.limit = w.config.limits.limit, .span = 60s, .spacing = 1s});
        CHECK(found.spans_above == 0);
        CHECK(found.too_close == 0);
    }
}
