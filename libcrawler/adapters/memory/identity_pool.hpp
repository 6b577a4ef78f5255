// The identity pool in memory: the whole of the pool's rules, on the domain's classes. Reached by memory.hpp.
#pragma once
#include <memory>

#include "adapters/memory/faults.hpp"
#include "domain/blame.hpp"
#include "domain/breaker.hpp"
#include "domain/host_ceiling.hpp"
#include "domain/pool_status.hpp"
#include "domain/session_policy.hpp"
#include "ports/clock.hpp"
#include "ports/identity_pool.hpp"

namespace crawler::adapters {

// `identities` of them, each with at most `limit` requests in any `window` and `spacing` between two, as the server sees them.
struct MemoryIdentityPoolConfig {
    int identities = 50;
    int limit = 80;
    Duration window = std::chrono::hours{1};
    Duration spacing = std::chrono::seconds{1};
    Duration lease = std::chrono::minutes{1};
    Duration guard = std::chrono::seconds{10};
    int at_once = 100;  // requests under way, whoever makes them
    CeilingLimits ceiling = {};
    HealthPolicy health = {};
    BreakerPolicy breaker = {};
    BlamePolicy blame = {};
    SessionPolicy sessions = {.made_up = true};  // so that whoever does not care about sessions need not open any
};

// What is suspended recovers when somebody asks after its time.
class MemoryIdentityPool : public ports::IdentityPool {
  public:
    // What an administrator may do and see. not_found: there is no such identity; otherwise as UserAgent says.
    virtual Result<> recover(const UserAgentId& id) = 0;
    virtual Result<> block(const UserAgentId& id) = 0;
    virtual Result<> unblock(const UserAgentId& id) = 0;
    virtual PoolStatus status() const = 0;
    virtual BreakerStatus breaker() const = 0;
};

// Throws std::invalid_argument where the configuration makes no sense.
std::unique_ptr<MemoryIdentityPool> make_memory_identity_pool(MemoryIdentityPoolConfig config,
                                                              const ports::Clock& clock, Faults* faults = nullptr);

}  // namespace crawler::adapters
