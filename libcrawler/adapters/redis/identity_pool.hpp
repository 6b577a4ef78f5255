// The configuration of the identity pool on Redis. Reached by redis.hpp.
#pragma once
#include <functional>
#include <string>

#include "domain/host_ceiling.hpp"

namespace crawler::adapters {

// What it keeps is the same as in the pool that keeps the ledger.
struct RedisIdentityPoolConfig {
    Duration spacing = std::chrono::seconds{1};
    Duration guard = std::chrono::seconds{10};
    CeilingLimits ceiling = {};
    Duration lease = std::chrono::minutes{1};
    int at_once = 100;
    int success_gain = 5;
    Duration blame_span = std::chrono::minutes{1};

    // Requests are taken from the ledger in blocks, larger ones where many are wanted: of so many identities and so many of each at
    // most. What Redis loses of them is spent.
    int identities = 64;
    int requests = 64;
    Duration hold = std::chrono::seconds{10};  // after which what was not made of a block is given back
    // Redis' own clock. Without it, the one that the pool was given: for tests.
    bool own_clock = true;
    // Told whenever it changes who serves, and why it is not Redis.
    std::function<void(bool by_redis, const std::string& why)> on_change = {};

    Result<> check() const;  // invalid: names the value and the rule
};

}  // namespace crawler::adapters
