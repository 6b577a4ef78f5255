#include "proof/redis_pool.hpp"

#include "adapters/redis/redis.hpp"
#include "proof/losing_redis.hpp"
#include "proof/on_database.hpp"

namespace crawler::proof {
namespace {

class BeforeSqlite final : public PoolUnderProof {
  public:
    BeforeSqlite(const World& world, const PoolClock& clock) : world_(world), clock_(clock), ledger_(world, clock) {
        for (int i = 0; i < world.processes; ++i) processes_.push_back(begin(i));
    }

    ports::IdentityPool& of(int process) override { return *processes_[static_cast<std::size_t>(process)].pool; }
    void restart(int process) override {
        auto& own = processes_[static_cast<std::size_t>(process)];
        own = {};
        ledger_.restart(process);
        own = begin(process);
    }
    std::optional<bool> ledger_proves() override { return ledger_.ledger_proves(); }

    void server_keeps() override { server_.keep(); }
    void server_dies() override { server_.die(); }
    void server_returns(bool with_what_it_kept) override { server_.come_back(with_what_it_kept); }

  private:
    // The pool goes before the connection that it asks.
    struct Process {
        adapters::Redis link;
        std::unique_ptr<ports::IdentityPool> pool;
    };
    Process begin(int number) {
        Process process;
        process.link =
            adapters::open_redis({.url = server_.url(), .elapsed = [this] { return clock_.truth() - test::t0; }});
        const adapters::RedisIdentityPoolConfig config{.spacing = world_.limits.spacing,
                                                       .guard = world_.limits.guard,
                                                       .ceiling = world_.ceiling,
                                                       .lease = world_.lease,
                                                       .own_clock = false};
        process.pool = adapters::make_redis_identity_pool(*process.link, ledger_.of(number), config, clock_);
        return process;
    }

    World world_;
    const PoolClock& clock_;
    OnDatabase<test::SqliteFile> ledger_;
    LosingRedis server_;
    std::vector<Process> processes_;
};

}  // namespace

std::unique_ptr<PoolUnderProof> make_redis_pool(const World& world, const PoolClock& clock) {
    return std::make_unique<BeforeSqlite>(world, clock);
}

}  // namespace crawler::proof
