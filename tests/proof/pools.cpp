#include "proof/pools.hpp"

#include <functional>
#include <map>
#include <stdexcept>

#include "adapters/memory/memory.hpp"
#include "application/audit_rate.hpp"
#include "proof/false_pool.hpp"
#include "support/databases.hpp"
#include "support/false_limiters.hpp"

namespace crawler::proof {
namespace {

// One that lives in memory knows no processes: whoever asks, asks it.
class Shared final : public PoolUnderProof {
  public:
    explicit Shared(std::unique_ptr<ports::IdentityPool> pool) : pool_(std::move(pool)) {}
    ports::IdentityPool& of(int) override { return *pool_; }
    void restart(int) override {}
    std::optional<bool> ledger_proves() override { return std::nullopt; }

  private:
    std::unique_ptr<ports::IdentityPool> pool_;
};

std::unique_ptr<PoolUnderProof> in_memory(const World& world, const PoolClock& clock) {
    const adapters::MemoryIdentityPoolConfig config{.identities = world.identities,
                                                    .limit = world.limits.limit,
                                                    .window = world.limits.span,
                                                    .spacing = world.limits.spacing,
                                                    .lease = world.lease,
                                                    .guard = world.limits.guard,
                                                    .ceiling = world.ceiling};
    return std::make_unique<Shared>(adapters::make_memory_identity_pool(config, clock));
}

template <class Limiter>
std::unique_ptr<PoolUnderProof> falsely(const World& world, const PoolClock& clock) {
    return std::make_unique<Shared>(std::make_unique<FalsePool<Limiter>>(world.identities, world.lease, clock));
}

struct SqlProcess {
    adapters::Database database;
    std::unique_ptr<ports::IdGenerator> ids;
    std::unique_ptr<ports::IdentityPool> pool;
};

// Each process with a connection and a pool of its own; one database.
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

template <class Place>
std::unique_ptr<PoolUnderProof> on_database(const World& world, const PoolClock& clock) {
    return std::make_unique<OnDatabase<Place>>(world, clock);
}

using Maker = std::unique_ptr<PoolUnderProof> (*)(const World&, const PoolClock&);
const std::map<std::string, Maker>& makers() {
    static const std::map<std::string, Maker> all{
        {"memory", in_memory},
        {"sqlite", on_database<test::SqliteFile>},
        {"mariadb", on_database<test::MariaDbSchema>},
        {"true-window", falsely<test::TrueWindow>},
        {"fixed-window", falsely<test::FixedWindow>},
        {"refund", falsely<test::RefundingLog>},
    };
    return all;
}

}  // namespace

std::unique_ptr<PoolUnderProof> make_pool(const std::string& name, const World& world, const PoolClock& clock) {
    const auto maker = makers().find(name);
    if (maker == makers().end()) throw std::invalid_argument("there is no pool called " + name);
    return maker->second(world, clock);
}

const std::vector<std::string>& pool_names() {
    static const auto names = [] {
        std::vector<std::string> all;
        for (const auto& [name, maker] : makers()) all.push_back(name);
        return all;
    }();
    return names;
}

}  // namespace crawler::proof
