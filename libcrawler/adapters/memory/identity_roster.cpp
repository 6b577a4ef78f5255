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
    if (sessions_.made_up && member.agent.is_available() && state.token.empty())
        (void)member.agent.issue_token(Secret("token-" + state.id.value), now);
    if (member.is_counted != member.agent.is_available()) available_ += member.is_counted ? -1 : 1;
    member.is_counted = member.agent.is_available();
    if (state.status == UserAgentStatus::blocked) return;
    if (!sessions_.made_up) {
        member.session_due = sessions_.due_at(state);
        sessions_due_.emplace(*member.session_due, state.id);
    }
    const auto awake = state.status == UserAgentStatus::suspended
                           ? state.suspended_until.value_or(now)
                           : std::max(member.window.free_at(now), member.busy_until);
    if (state.status == UserAgentStatus::available && awake <= now) {
        member.ready = preference(member.agent);
        ready_.emplace(*member.ready, &member);
        if (member.session_due) ready_for_session_.insert(session_turn(member));
    } else {
        member.rests_until = awake;
        resting_.emplace(awake, state.id);
    }
}

void IdentityRoster::wake(TimePoint now) {
    while (!resting_.empty() && resting_.begin()->first <= now) {
        auto& member = members_.at(resting_.begin()->second);
        if (!member.agent.is_available()) (void)member.agent.recover(health_, now);  // its time is over: never refused
        place(member, now);
    }
}

IdentityRoster::Member* IdentityRoster::preferred() {
    return ready_.empty() || ready_.begin()->first.without_token ? nullptr : ready_.begin()->second;
}

std::optional<TimePoint> IdentityRoster::next_awake() const {
    if (resting_.empty()) return std::nullopt;
    return resting_.begin()->first;
}

IdentityRoster::Member* IdentityRoster::preferred_for_session(TimePoint now) {
    for (const bool has_token : {false, true}) {
        const auto first = ready_for_session_.lower_bound(SessionTurn(has_token, TimePoint::min(), {}));
        if (first == ready_for_session_.end()) continue;
        const auto& [has, due, id] = *first;
        if (has == has_token && due <= now) return find(id);
    }
    return nullptr;
}

// Who is due already rests; who is due later may rest then too, but it is soon enough to see that then.
std::optional<TimePoint> IdentityRoster::next_session_at(TimePoint now) const {
    std::optional<TimePoint> next;
    for (const auto& [due, id] : sessions_due_) {
        const auto& member = members_.at(id);
        const auto at = std::max(due, member.rests_until.value_or(due));
        next = std::min(next.value_or(at), at);
        if (due > now) break;
    }
    return next;
}

std::int64_t IdentityRoster::budget_at(TimePoint then) const {
    std::int64_t budget = 0;
    for (const auto& [id, member] : members_) budget += member.agent.is_available() ? member.window.left(then) : 0;
    return budget;
}

IdentityRoster::SessionTurn IdentityRoster::session_turn(const Member& member) const {
    const auto& ready = member.ready.value();
    return {!ready.without_token, member.session_due.value(), ready.id};
}

PoolStatus IdentityRoster::status(TimePoint now) const {
    PoolStatus status;
    for (const auto& [id, member] : members_) status.add(member.agent, member.window, now);
    return status;
}

void IdentityRoster::take_out(Member& member) {
    const auto& id = member.agent.state().id;
    if (member.ready && member.session_due) ready_for_session_.erase(session_turn(member));
    if (member.session_due) sessions_due_.erase({*member.session_due, id});
    if (member.ready) ready_.erase(*member.ready);
    if (member.rests_until) resting_.erase({*member.rests_until, id});
    member.session_due.reset();
    member.ready.reset();
    member.rests_until.reset();
}

}  // namespace crawler::adapters
