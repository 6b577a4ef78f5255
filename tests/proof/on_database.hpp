// The pool on a database, each process with a connection and a pool of its own.
#pragma once
#include <algorithm>
#include <stdexcept>

#include "adapters/memory/memory.hpp"
#include "adapters/sql/sql.hpp"
#include "application/audit_rate.hpp"
#include "proof/pools.hpp"
#include "support/databases.hpp"

namespace crawler::proof {

struct SqlProcess {
    adapters::Database database;
    std::unique_ptr<ports::IdGenerator> ids;
    std::unique_ptr<ports::IdentityPool> pool;
};

template <class Place>
class OnDatabase final : public PoolUnderProof {
  public:
    OnDatabase(const World& world, const PoolClock& clock) : world_(world), clock_(clock) {
        std::vector<UserAgent> agents;
        for (int i = 1; i <= world.identities; ++i) {
            const auto number = std::to_string(i);
            agents.push_back(*UserAgent::enroll(UserAgentId{"ua-" + number}, "Mozilla/5.0 " + number, clock.now()));
        }
        const auto stored = run(adapters::make_sql_user_agent_store(*database_, keys_)->add(std::move(agents)));
        if (!stored) throw std::runtime_error(stored.error().detail);
        for (int i = 0; i < world.processes; ++i) processes_.push_back(begin());
    }

    ports::IdentityPool& of(int process) override { return *processes_[static_cast<std::size_t>(process)].pool; }
    void restart(int process) override { processes_[static_cast<std::size_t>(process)] = begin(); }
    std::optional<bool> ledger_proves() override {
        const auto ledger = adapters::make_sql_request_ledger(*database_);
        application::AuditRate audit({*ledger, clock_, *telemetry_}, world_.limits);
        const auto rates = run(audit.run(TimePoint{}));
        if (!rates) throw std::runtime_error(rates.error().detail);
        return std::ranges::all_of(*rates,
                                   [](const auto& rate) { return rate.verdict == application::RateVerdict::kept; });
    }

  private:
    SqlProcess begin() {
        SqlProcess process;
        process.database = open();
        process.ids = adapters::make_counting_ids("p" + std::to_string(started_++) + "-");
        const adapters::SqlIdentityPoolConfig config{.limits = world_.limits,
                                                     .ceiling = world_.ceiling,
                                                     .lease = world_.lease,
                                                     .sessions = {.made_up = true},
                                                     .server_clock = false};
        process.pool = adapters::make_sql_identity_pool(*process.database, config, keys_, clock_, *process.ids);
        return process;
    }
    adapters::Database open() {
        return adapters::open_database({.url = place_.url(), .min_connections = 1, .max_connections = 1}, *telemetry_);
    }

    World world_;
    const PoolClock& clock_;
    const adapters::TokenKeys keys_{.current = "k1", .keys = {{"k1", Secret(std::string(32, 'k'))}}};
    std::unique_ptr<adapters::MemoryTelemetry> telemetry_ = adapters::make_memory_telemetry();
    Place place_;
    adapters::Database database_ = open();
    std::vector<SqlProcess> processes_;
    int started_ = 0;
};

}  // namespace crawler::proof
