// Several processes on one database, each with connections and a pool of its own, and one clock that the test moves.
#pragma once
#include <catch2/catch_test_macros.hpp>

#include "contract/fixtures/pool_steps.hpp"
#include "contract/fixtures/sql.hpp"

namespace crawler::test {

struct PoolProcess {
    std::unique_ptr<adapters::MemoryTelemetry> telemetry = adapters::make_memory_telemetry();
    adapters::Database database;
    std::unique_ptr<ports::IdGenerator> ids;
    std::unique_ptr<ports::IdentityPool> pool;

    PoolProcess(const std::string& url, const std::string& name, const adapters::SqlIdentityPoolConfig& config,
                const ports::Clock& clock, adapters::TokenKeys keys = test_keys(),
                std::function<void(std::string_view)> before_statement = {})
        : database(adapters::open_database(
              {.url = url, .min_connections = 1, .max_connections = 2, .before_statement = std::move(before_statement)},
              *telemetry)),
          ids(adapters::make_counting_ids(name + "-")),
          pool(adapters::make_sql_identity_pool(*database, config, std::move(keys), clock, *ids)) {}
};

template <class Stores>
struct PoolWorld : Stores {
    adapters::SqlIdentityPoolConfig config{
        .ceiling = {.per_second = 100, .per_hour = 100'000}, .sessions = {.made_up = true}, .server_clock = false};
    std::vector<std::unique_ptr<PoolProcess>> processes;
    int started = 0;

    void enroll(int count) {
        std::vector<UserAgent> agents;
        for (int i = 1; i <= count; ++i) {
            const auto number = std::to_string(i);
            agents.push_back(*UserAgent::enroll(UserAgentId{"ua-" + number}, "Mozilla/5.0 " + number, this->now()));
        }
        REQUIRE(this->run(this->user_agents->add(std::move(agents))));
    }
    // Reservations are named by whoever makes them, so no two processes have one name, neither side by side nor one after the other.
    ports::IdentityPool& process() {
        processes.push_back(
            std::make_unique<PoolProcess>(this->place.url(), "p" + std::to_string(started++), config, this->clock));
        return *processes.back()->pool;
    }
    // All that run go away with what they had under way, and another begins.
    ports::IdentityPool& restart() {
        processes.clear();
        return process();
    }
    UserAgent identity(const std::string& id) {
        auto found = this->run(this->user_agents->find(UserAgentId{id}));
        REQUIRE(found);
        return *std::move(found);
    }
    std::vector<ports::LedgerEntry> entries() {
        auto all = this->run(this->ledger->since(TimePoint{}, std::nullopt));
        REQUIRE(all);
        return *std::move(all);
    }
    template <class Work>
    void in_session(Work work) {
        auto body = [&](adapters::sql::Session& session) -> Result<> {
            work(session);
            return {};
        };
        REQUIRE(this->run(this->database->transact(body)));
    }
};

}  // namespace crawler::test
