// The identities of a pool in the order in which they are lent, and those that rest, by the time at which they may be lent
// again. Nothing here is a scan: to lend, to rest and to come back are O(log n) each.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "domain/pool_status.hpp"

namespace crawler::adapters {

class IdentityRoster {
  public:
    struct Member {
        UserAgent agent;
        RequestWindow window;
        TimePoint busy_until = TimePoint::min();  // a request is under way, at the latest until then
        std::optional<Preference> ready{};        // its place among those that may be lent ...
        std::optional<TimePoint> rests_until{};   // ... or among those that rest
        bool is_counted = false;                  // among the available ones
    };

    // The policy must outlive the roster.
    explicit IdentityRoster(const HealthPolicy& policy) : policy_(policy) {}

    void add(UserAgent agent, RequestWindow window, TimePoint now);
    // Null: there is no such identity.
    Member* find(const UserAgentId& id);
    // To be called after any change of a member. Issues a token to one that is available and has none.
    void place(Member& member, TimePoint now);
    // Brings back who has rested enough; a suspension that is over ends.
    void wake(TimePoint now);

    // The one to lend next; null: all rest.
    Member* preferred();
    // When somebody has rested enough; empty: nobody rests.
    std::optional<TimePoint> next_awake() const;

    int available() const { return available_; }
    int total() const { return static_cast<int>(members_.size()); }
    PoolStatus status(TimePoint now) const;

  private:
    void take_out(Member& member);

    const HealthPolicy& policy_;
    std::unordered_map<UserAgentId, Member> members_;
    std::map<Preference, Member*> ready_;
    std::set<std::pair<TimePoint, UserAgentId>> resting_;
    int available_ = 0;
};

}  // namespace crawler::adapters
