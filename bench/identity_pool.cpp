// What a request costs at the identity pool on a database: a reservation and its report, with fifty identities and with five thousand,
// all of whose windows are as full as a fleet at work fills them.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "adapters/memory/memory.hpp"
#include "adapters/sql/database.hpp"
#include "adapters/sql/sql.hpp"
#include "bench/measure.hpp"
#include "coro/block_on.hpp"
#include "support/clocks.hpp"
#include "support/databases.hpp"

namespace {

using namespace crawler;
using namespace crawler::test;

constexpr int rounds = 5;
constexpr int requests = 200;

[[noreturn]] void give_up(const std::string& what) {
    std::fprintf(stderr, "bench: %s\n", what.c_str());
    std::exit(1);
}

template <class T>
T value_of(Result<T> result) {
    if (!result) give_up(result.error().detail);
    if constexpr (!std::is_void_v<T>) return *std::move(result);
}

class Bench {
  public:
    Bench(const std::string& url, int identities)
        : identities_(identities),
          pace_(std::chrono::hours{1} / (80 * identities) + Duration{1}),
          database_(adapters::open_database({.url = url, .min_connections = 1, .max_connections = 1}, *telemetry_)),
          agents_(adapters::make_sql_user_agent_store(*database_, keys_)),
          pool_(adapters::make_sql_identity_pool(*database_,
                                                 {.ceiling = {.per_second = 100'000, .per_hour = 100 * identities},
                                                  .sessions = {.made_up = true},
                                                  .server_clock = false},
                                                 keys_, clock_, *ids_)) {
        std::vector<UserAgent> agents;
        for (int i = 0; i < identities; ++i)
            agents.push_back(
                value_of(UserAgent::enroll(ids_->make<UserAgentId>(), "Mozilla/5.0 " + std::to_string(i), t0)));
        value_of(wait(agents_->add(std::move(agents))));
        fill_windows();
    }

    // As many as the pace of a fleet at its limit.
    void request() {
        clock_.advance(pace_);
        auto reserved = value_of(wait(pool_->reserve()));
        auto* slot = std::get_if<ports::Slot>(&reserved);
        if (slot == nullptr) {
            clock_.set(std::get<ports::NextSlotAt>(reserved).time);
            return;
        }
        ++granted_;
        value_of(wait(pool_->report(std::move(*slot), ports::SlotReport(ports::SlotOutcome::succeeded, "MINISHOP"))));
    }
    int granted() const { return granted_; }
    double look() {
        return bench::seconds([&] { value_of(wait(pool_->look(std::chrono::minutes{1}))); });
    }

  private:
    template <class T>
    T wait(Async<T> work) {
        return coro::block_on(io_, std::move(work));
    }
    // Each identity's seventy-nine of the hour before, spread over it; and ten days of older ones for those of a small pool.
    void fill_windows() {
        auto body = [this](adapters::sql::Session& session) -> Result<> {
            const auto ids = session.select({"id"}, "FROM user_agents");
            const int hours = identities_ < 1000 ? 24 : 1;
            std::vector<adapters::sql::Values> rows;
            for (auto row : ids) {
                const auto id = row.text();
                for (int i = 1; i <= 79 * hours; ++i) {
                    const auto at = t0 - std::chrono::seconds{45} * i;
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
        value_of(wait(database_->transact(body)));
    }

    int identities_;
    Duration pace_;
    boost::asio::io_context io_{1};
    ManualClock clock_;
    std::unique_ptr<ports::IdGenerator> ids_ = adapters::make_counting_ids("bench-");
    std::unique_ptr<adapters::MemoryTelemetry> telemetry_ = adapters::make_memory_telemetry();
    adapters::TokenKeys keys_{.current = "k1", .keys = {{"k1", Secret(std::string(32, 'k'))}}};
    adapters::Database database_;
    std::unique_ptr<ports::UserAgentStore> agents_;
    std::unique_ptr<ports::IdentityPool> pool_;
    int granted_ = 0;
};

// Requests a second.
double measure(const char* name, const std::string& url, int identities) {
    Bench bench(url, identities);
    for (int i = 0; i < 20; ++i) bench.request();
    std::vector<double> rates;
    for (int round = 0; round < rounds; ++round) {
        const auto before = bench.granted();
        const auto took = bench::seconds([&] {
            for (int i = 0; i < requests; ++i) bench.request();
        });
        rates.push_back((bench.granted() - before) / took);
    }
    const auto rate = bench::median(rates);
    std::printf("  %-10s %5d identities: %7.0f requests/s (reserve + report), a look %.1f ms\n", name, identities, rate,
                bench.look() * 1000);
    std::fflush(stdout);
    return rate;
}

template <class Place>
bool compare(const std::string& name) {
    const Place few;
    const auto rate_of_few = measure(name.c_str(), few.url(), 50);
    const Place many;
    const auto rate_of_many = measure(name.c_str(), many.url(), 5000);
    const auto ratio = rate_of_few / rate_of_many;
    return bench::judge("pool on " + name + ", 50 against 5,000 identities", bench::with_decimals(ratio, 2) + " x",
                        "at most 1.30 x", ratio <= 1.3);
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): without a database there is nothing to measure
int main(int argc, char** argv) {
    if (argc == 2 && std::string(argv[1]) == "--help") {
        std::puts(
            "usage: bench_identity_pool\n\nMeasures reservations with their reports on a MariaDB server and on a "
            "SQLite file.");
        return 0;
    }
    bool all_met = compare<SqliteFile>("SQLite");
    all_met &= compare<MariaDbSchema>("MariaDB");
    return all_met ? 0 : 1;
}
