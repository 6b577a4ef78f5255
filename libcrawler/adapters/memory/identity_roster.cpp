#include "adapters/memory/identity_roster.hpp"

#include <algorithm>

namespace crawler::adapters {

void IdentityRoster::add(UserAgent agent, RequestWindow window, TimePoint now) {
    const auto id = agent.state().id;
    const auto [added, is_new] = members_.try_emplace(id, Member{std::move(agent), std::move(window)});
    if (is_new) place(added->second, now);
}

IdentityRoster::Member* IdentityRoster::find(const UserAgentId& id) {
    const auto found = members_.find(id);
    return found == members_.end() ? nullptr : &found->second;
}

// A BLOCKED one is in neither place, and nothing but an administrator brings it back.
void IdentityRoster::place(Member& member, TimePoint now) {
    take_out(member);
    const auto& state = member.agent.state();
    // Tokens cost nothing here, so nobody waits for one until it is lent.
    if (member.agent.is_available() && state.token.empty())
        (void)member.agent.issue_token(Secret("token-" + state.id.value), now);
    if (member.is_counted != member.agent.is_available()) available_ += member.is_counted ? -1 : 1;
    member.is_counted = member.agent.is_available();
    if (state.status == UserAgentStatus::blocked) return;
    const auto awake = state.status == UserAgentStatus::suspended
                           ? state.suspended_until.value_or(now)
                           : std::max(member.window.free_at(now), member.busy_until);
    if (state.status == UserAgentStatus::available && awake <= now) {
        member.ready = preference(member.agent);
        ready_.emplace(*member.ready, &member);
    } else {
        member.rests_until = awake;
        resting_.emplace(awake, state.id);
    }
}

void IdentityRoster::wake(TimePoint now) {
    while (!resting_.empty() && resting_.begin()->first <= now) {
        auto& member = members_.at(resting_.begin()->second);
        if (!member.agent.is_available()) (void)member.agent.recover(policy_, now);  // its time is over: never refused
        place(member, now);
    }
}

IdentityRoster::Member* IdentityRoster::preferred() {
    return ready_.empty() ? nullptr : ready_.begin()->second;
}

std::optional<TimePoint> IdentityRoster::next_awake() const {
    if (resting_.empty()) return std::nullopt;
    return resting_.begin()->first;
}

PoolStatus IdentityRoster::status(TimePoint now) const {
    PoolStatus status;
    for (const auto& [id, member] : members_) status.add(member.agent, member.window, now);
    return status;
}

void IdentityRoster::take_out(Member& member) {
    if (member.ready) ready_.erase(*member.ready);
    if (member.rests_until) resting_.erase({*member.rests_until, member.agent.state().id});
    member.ready.reset();
    member.rests_until.reset();
}

}  // namespace crawler::adapters
