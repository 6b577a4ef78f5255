// The identities of a pool in the order in which they are lent, and those that rest, by the time at which they may be lent
// again. Nothing here is a scan: to lend, to rest and to come back are O(log n) each.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "domain/pool_status.hpp"
#include "domain/session_policy.hpp"

namespace crawler::adapters {

class IdentityRoster {
  public:
    struct Member {
        UserAgent agent;
        RequestWindow window;
        TimePoint busy_until = TimePoint::min();  // a request is under way, at the latest until then
        std::optional<Preference> ready{};        // its place among those that may be lent ...
        std::optional<TimePoint> rests_until{};   // ... or among those that rest
        std::optional<TimePoint> session_due{};   // its place among those that will need a session, nearly all
        bool is_counted = false;                  // among the available ones
    };

    // The policies must outlive the roster.
    IdentityRoster(const HealthPolicy& health, const SessionPolicy& sessions) : health_(health), sessions_(sessions) {}

    void add(UserAgent agent, RequestWindow window, TimePoint now);
    // Null: there is no such identity.
    Member* find(const UserAgentId& id);
    // To be called after any change of a member. Where tokens are made up, one that is available and has none gets one.
    void place(Member& member, TimePoint now);
    // Brings back who has rested enough; a suspension that is over ends.
    void wake(TimePoint now);

    // The one to lend next; null: all rest, or lack a token.
    Member* preferred();
    // When somebody has rested enough; empty: nobody rests.
    std::optional<TimePoint> next_awake() const;
    // Whether some of those that may be lent lack a token.
    bool waits_for_sessions() const { return !ready_.empty() && ready_.rbegin()->first.without_token; }

    // The one to open a session next: first who has no token, then whose is the oldest. Null: nobody who needs one may ask now.
    Member* preferred_for_session(TimePoint now);
    // When there may be one, if there is none now; empty: never.
    std::optional<TimePoint> next_session_at(TimePoint now) const;

    int available() const { return available_; }
    int total() const { return static_cast<int>(members_.size()); }
    PoolStatus status(TimePoint now) const;
    // What the available ones can still ask until then, if they ask nothing before.
    std::int64_t budget_at(TimePoint then) const;

  private:
    void take_out(Member& member);

    using SessionTurn = std::tuple<bool, TimePoint, UserAgentId>;  // has a token, when the next is due
    SessionTurn session_turn(const Member& member) const;

    const HealthPolicy& health_;
    const SessionPolicy& sessions_;
    std::unordered_map<UserAgentId, Member> members_;
    std::map<Preference, Member*> ready_;
    std::set<std::pair<TimePoint, UserAgentId>> resting_;
    std::set<SessionTurn> ready_for_session_;                   // the ready ones
    std::set<std::pair<TimePoint, UserAgentId>> sessions_due_;  // all that are not BLOCKED
    int available_ = 0;
};

}  // namespace crawler::adapters
