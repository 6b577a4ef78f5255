// What a request costs at the identity pool on Redis: reservations and reports, the ledger's share included, next to the least that a
// script can cost on the same server over the same connection; with fifty identities and with five thousand.
#include <cstdio>
#include <cstdlib>

#include "adapters/memory/memory.hpp"
#include "adapters/redis/link.hpp"
#include "adapters/redis/redis.hpp"
#include "adapters/sql/database.hpp"
#include "adapters/system/system.hpp"
#include "bench/measure.hpp"
#include "coro/block_on.hpp"
#include "coro/sleep.hpp"
#include "coro/together.hpp"
#include "support/databases.hpp"
#include "support/redis_server.hpp"

namespace {

using namespace crawler;
using namespace crawler::test;

constexpr int rounds = 5;
constexpr int requests = 2000;  // of a round
constexpr int lanes = 32;       // coroutines that ask at once
constexpr int made_before = 79;

[[noreturn]] void give_up(const std::string& what) {
    std::fprintf(stderr, "bench: %s\n", what.c_str());
    std::exit(1);
}

template <class T>
T value_of(Result<T> result) {
    if (!result) give_up(result.error().detail);
    if constexpr (!std::is_void_v<T>) return *std::move(result);
}

// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): the bench waits for it
Async<> ask(ports::IdentityPool& pool, const ports::Clock& clock, int& left) {
    while (left > 0) {
        --left;
        auto reserved = value_of(co_await pool.reserve());
        if (auto* slot = std::get_if<ports::Slot>(&reserved)) {
            ports::SlotReport report(ports::SlotOutcome::succeeded, "MINISHOP");
            value_of(co_await pool.report(std::move(*slot), std::move(report)));
            continue;
        }
        ++left;
        co_await coro::sleep(std::get<ports::NextSlotAt>(reserved).time - clock.now());
    }
}

// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): the bench waits for it
Async<> call_nothing(adapters::RedisLink& link, int& left) {
    const adapters::RedisLink::Script script{"nothing", "return 1"};
    while (left > 0) {
        --left;
        std::vector<std::string> keys;
        std::vector<std::string> arguments;
        (void)value_of(co_await link.call(script, std::move(keys), std::move(arguments)));
    }
}

class Bench {
  public:
    explicit Bench(int identities) {
        std::vector<UserAgent> agents;
        for (int i = 0; i < identities; ++i) {
            auto id = ids_->make<UserAgentId>();
            agents.push_back(
                value_of(UserAgent::enroll(std::move(id), "Mozilla/5.0 " + std::to_string(i), clock_->now())));
        }
        value_of(coro::block_on(io_, adapters::make_sql_user_agent_store(*database_, keys_)->add(std::move(agents))));
        fill_windows();
    }

    // Scripts a second, each the median of rounds that take turns, so that whatever else the machine does bears on both.
    struct Rates {
        double pool = 0;  // a reservation is one script, a report is one
        double nothing = 0;
    };
    Rates measure() {
        const auto use_pool = [this](int& left) { return ask(*pool_, *clock_, left); };
        const auto do_nothing = [this](int& left) { return call_nothing(*link_, left); };
        (void)rate_of(use_pool);
        std::vector<double> pool;
        std::vector<double> nothing;
        for (int round = 0; round < rounds; ++round) {
            pool.push_back(2 * rate_of(use_pool));
            nothing.push_back(rate_of(do_nothing));
        }
        return {bench::median(pool), bench::median(nothing)};
    }

  private:
    template <class Lane>
    double rate_of(Lane lane) {
        int left = requests;
        std::vector<Async<>> all;
        for (int i = 0; i < lanes; ++i) all.push_back(lane(left));
        return requests / bench::seconds([&] { coro::block_on(io_, coro::together(std::move(all))); });
    }
    // What each identity asked in the hour before.
    void fill_windows() {
        auto body = [this](adapters::sql::Session& session) -> Result<> {
            std::vector<adapters::sql::Values> rows;
            for (auto row : session.select({"id"}, "FROM user_agents")) {
                const auto id = row.text();
                for (int i = 1; i <= made_before; ++i) {
                    const auto at = clock_->now() - std::chrono::seconds{40} * i;
                    rows.push_back({"old-" + id + "-" + std::to_string(i), id, at, at + std::chrono::seconds{60}, at,
                                    "SUCCEEDED", at});
                }
            }
            session.insert(
                "request_ledger",
                {"reservation", "identity_id", "reserved_at", "lease_end", "answered_at", "outcome", "latest_at"},
                rows);
            return {};
        };
        value_of(coro::block_on(io_, database_->transact(body)));
    }

    // So much that none has to wait for its hour.
    const CeilingLimits ceiling_{.per_second = 1'000'000, .per_hour = 10'000'000};
    const WindowLimits limits_{.limit = made_before + 2 * (rounds + 1) * requests / 50, .spacing = Duration{0}};
    boost::asio::io_context io_{1};
    std::unique_ptr<ports::Clock> clock_ = adapters::make_system_clock();
    std::unique_ptr<ports::IdGenerator> ids_ = adapters::make_uuid_generator(*clock_);
    std::unique_ptr<adapters::MemoryTelemetry> telemetry_ = adapters::make_memory_telemetry();
    adapters::TokenKeys keys_{.current = "k1", .keys = {{"k1", Secret(std::string(32, 'k'))}}};
    RedisServer server_;
    SqliteFile place_;
    adapters::Database database_ =
        adapters::open_database({.url = place_.url(), .min_connections = 1, .max_connections = 1}, *telemetry_);
    std::unique_ptr<ports::IdentityPool> ledger_ = adapters::make_sql_identity_pool(
        *database_, {.limits = limits_, .ceiling = ceiling_, .at_once = 1000, .sessions = {.made_up = true}}, keys_,
        *clock_, *ids_);
    adapters::Redis link_ = adapters::open_redis({.url = server_.url()});
    std::unique_ptr<ports::IdentityPool> pool_ = adapters::make_redis_identity_pool(
        *link_, *ledger_, {.spacing = limits_.spacing, .ceiling = ceiling_, .at_once = 1000}, *clock_);
};

Bench::Rates measure(int identities) {
    Bench bench(identities);
    const auto found = bench.measure();
    std::printf("  Redis %5d identities: %7.0f scripts/s (reserve + report), EVALSHA \"return 1\" %7.0f/s\n",
                identities, found.pool, found.nothing);
    std::fflush(stdout);
    return found;
}

bool within(const std::string& what, double ratio, double least, double most) {
    return bench::judge(what, bench::with_decimals(ratio, 2) + " x",
                        bench::with_decimals(least, 2) + " x to " + bench::with_decimals(most, 2) + " x",
                        ratio >= least && ratio <= most);
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): without a server there is nothing to measure
int main(int argc, char** argv) {
    if (argc == 2 && std::string(argv[1]) == "--help") {
        std::puts("usage: bench_redis_pool\n\nMeasures reservations with their reports on a Redis server of its own.");
        return 0;
    }
    const auto few = measure(50);
    const auto many = measure(5000);
    bool all_met = bench::judge("pool on Redis, against a script that does nothing",
                                bench::with_decimals(few.pool / few.nothing, 2) + " x", "at least 0.50 x",
                                few.pool / few.nothing >= 0.5);
    all_met &= within("pool on Redis, 50 against 5,000 identities", few.pool / many.pool, 1 / 1.3, 1.3);
    return all_met ? 0 : 1;
}
