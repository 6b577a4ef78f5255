// The configuration of the identity pool on a database. Reached by sql.hpp.
#pragma once
#include "domain/blame.hpp"
#include "domain/breaker.hpp"
#include "domain/host_ceiling.hpp"
#include "domain/session_policy.hpp"

namespace crawler::adapters {

// Every process of a fleet must have the same: what one grants, the others count.
struct SqlIdentityPoolConfig {
    WindowLimits limits = {};
    CeilingLimits ceiling = {};
    Duration lease = std::chrono::minutes{1};
    int at_once = 100;  // requests under way, whoever makes them
    HealthPolicy health = {};
    BreakerPolicy breaker = {};
    BlamePolicy blame = {};
    SessionPolicy sessions = {};
    // MySQL and MariaDB: the server's clock is the one clock of the fleet. Without it, and on SQLite, whose processes share a
    // machine, it is the clock that the pool was given.
    bool server_clock = true;

    Result<> check() const;  // invalid: names the value and the rule
};

}  // namespace crawler::adapters
