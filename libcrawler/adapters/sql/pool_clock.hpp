// The one clock of the fleet: that of the database's server, where there is one.
#pragma once
#include "adapters/sql/database.hpp"
#include "adapters/sql/pool_state.hpp"

namespace crawler::adapters::sql {

class PoolClock {
  public:
    PoolClock(const SqlIdentityPoolConfig& config, const SqlDatabase& database, const ports::Clock& clock)
        : is_servers_(config.server_clock && !database.dialect().clock().empty()), clock_(clock) {}

    bool is_servers() const { return is_servers_; }
    TimePoint now(Session& session) const {
        if (!is_servers_) return clock_.now();
        return session.select_one({session.dialect().clock()}, "")->instant();
    }
    // Of a pool that is locked. unavailable: the clock has stepped back.
    Result<> see(Session& session, PoolState& pool) const {
        const auto now_there = now(session);
        if (now_there < pool.seen_at)
            return Error{Errc::unavailable, "the clock has stepped back from " + to_rfc3339(pool.seen_at) + " to " +
                                                to_rfc3339(now_there) + "; nothing is granted until it has caught up"};
        pool.seen_at = now_there;
        return {};
    }
    // A clock that stepped back must not date an answer before what is known to have happened.
    void see_at_least(Session& session, PoolState& pool) const { pool.seen_at = std::max(now(session), pool.seen_at); }

  private:
    bool is_servers_;
    const ports::Clock& clock_;
};

}  // namespace crawler::adapters::sql
