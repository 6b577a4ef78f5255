#include "proof/pools.hpp"

#include <functional>
#include <map>
#include <stdexcept>

#include "adapters/memory/memory.hpp"
#include "proof/false_pool.hpp"
#include "proof/on_database.hpp"
#include "proof/redis_pool.hpp"
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
        {"redis", make_redis_pool},
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
