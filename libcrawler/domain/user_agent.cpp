#include "domain/user_agent.hpp"

#include <algorithm>

#include "domain/user_agent_table.hpp"

namespace crawler {
namespace {

bool is_printable(char c) {
    return c >= ' ' && c <= '~';
}

}  // namespace

Result<UserAgent> UserAgent::enroll(UserAgentId id, std::string user_agent_string, TimePoint now) {
    const bool blank = user_agent_string.find_first_not_of(' ') == std::string::npos;
    if (blank || !std::ranges::all_of(user_agent_string, is_printable))
        return Error{Errc::invalid,
                     "UserAgent " + id.value + ": userAgentString must be printable ASCII and not blank"};
    return UserAgent(State{.id = std::move(id),
                           .user_agent_string = std::move(user_agent_string),
                           .token = {},
                           .last_used_at = {},
                           .suspended_at = {},
                           .suspended_until = {},
                           .created_at = now,
                           .updated_at = now});
}

Result<> UserAgent::lend(TimePoint now) {
    const auto to = UserAgentStatus::available;
    if (auto moved = user_agent_table.move(state_.status, UserAgentVerb::lend, to, state_.id.value); !moved)
        return moved;
    if (state_.token.empty())
        return Error{Errc::conflict, "UserAgent " + state_.id.value + " is AVAILABLE but has no token; cannot lend it"};
    state_.last_used_at = now;
    state_.updated_at = now;
    return {};
}

Result<> UserAgent::lend_for_session(TimePoint now) {
    const auto to = UserAgentStatus::available;
    const auto verb = UserAgentVerb::lend_for_session;
    if (auto moved = user_agent_table.move(state_.status, verb, to, state_.id.value); !moved) return moved;
    state_.last_used_at = now;
    state_.updated_at = now;
    return {};
}

Result<> UserAgent::report(RequestOutcome outcome, const HealthPolicy& policy, TimePoint now,
                           std::optional<Duration> retry_after) {
    const auto gain = outcome == RequestOutcome::succeeded ? policy.success_gain : 0;
    const auto health =
        std::clamp(state_.health + gain - policy.loss(outcome), HealthPolicy::worst, HealthPolicy::best);
    const bool throttled = outcome == RequestOutcome::throttled;
    const bool too_ill = outcome != RequestOutcome::succeeded && health < policy.floor;
    const auto to = throttled || too_ill ? UserAgentStatus::suspended : UserAgentStatus::available;
    if (auto moved = user_agent_table.move(state_.status, verb_of(outcome), to, state_.id.value); !moved) return moved;

    state_.health = health;
    state_.updated_at = now;
    if (throttled) state_.throttled = true;
    if (outcome == RequestOutcome::refused) drop_token();
    if (to == UserAgentStatus::suspended) suspend(policy, now, throttled ? retry_after : std::nullopt);
    return {};
}

Result<> UserAgent::forgive(int health, const HealthPolicy& policy, TimePoint now) {
    const auto better = std::min(state_.health + std::max(health, 0), HealthPolicy::best);
    const bool stays = state_.status == UserAgentStatus::suspended && (state_.throttled || better < policy.floor);
    const auto to = stays ? UserAgentStatus::suspended : UserAgentStatus::available;
    if (auto moved = user_agent_table.move(state_.status, UserAgentVerb::forgive, to, state_.id.value); !moved)
        return moved;
    state_.health = better;
    state_.updated_at = now;
    if (!stays) end_suspension();
    return {};
}

Result<> UserAgent::recover(const HealthPolicy& policy, TimePoint now) {
    if (user_agent_table.allows(state_.status, UserAgentVerb::recover) && state_.suspended_until > now) {
        auto early = user_agent_table.refusal(state_.status, UserAgentVerb::recover, state_.id.value);
        early.detail += " before " + to_rfc3339(*state_.suspended_until);
        return early;
    }
    return recover_early(policy, now);
}

Result<> UserAgent::recover_early(const HealthPolicy& policy, TimePoint now) {
    const auto to = UserAgentStatus::available;
    if (auto moved = user_agent_table.move(state_.status, UserAgentVerb::recover, to, state_.id.value); !moved)
        return moved;
    begin_afresh(policy);
    state_.updated_at = now;
    return {};
}

Result<> UserAgent::block(TimePoint now) {
    const auto to = UserAgentStatus::blocked;
    if (auto moved = user_agent_table.move(state_.status, UserAgentVerb::block, to, state_.id.value); !moved)
        return moved;
    end_suspension();
    drop_token();
    state_.updated_at = now;
    return {};
}

Result<> UserAgent::unblock(const HealthPolicy& policy, TimePoint now) {
    const auto to = UserAgentStatus::available;
    if (auto moved = user_agent_table.move(state_.status, UserAgentVerb::unblock, to, state_.id.value); !moved)
        return moved;
    begin_afresh(policy);
    state_.updated_at = now;
    return {};
}

Result<> UserAgent::issue_token(Secret token, TimePoint now) {
    if (token.empty()) return Error{Errc::invalid, "UserAgent " + state_.id.value + ": an empty token is none"};
    const auto to = UserAgentStatus::available;
    if (auto moved = user_agent_table.move(state_.status, UserAgentVerb::issue_token, to, state_.id.value); !moved)
        return moved;
    state_.token = std::move(token);
    state_.token_issued_at = now;
    state_.token_failures = 0;
    state_.token_failed_at.reset();
    state_.updated_at = now;
    return {};
}

Result<> UserAgent::fail_to_issue_token(const HealthPolicy& policy, TimePoint now) {
    const bool is_counted = policy.token_failures_to_block > 0;
    const bool once_too_often = is_counted && state_.token_failures + 1 >= policy.token_failures_to_block;
    const auto to = once_too_often ? UserAgentStatus::blocked : UserAgentStatus::available;
    const auto verb = UserAgentVerb::fail_to_issue_token;
    if (auto moved = user_agent_table.move(state_.status, verb, to, state_.id.value); !moved) return moved;
    if (is_counted) ++state_.token_failures;
    state_.token_failed_at = now;
    if (once_too_often) drop_token();
    state_.updated_at = now;
    return {};
}

Result<> UserAgent::forgive_token_failure(const HealthPolicy& policy, TimePoint now) {
    const auto verb = UserAgentVerb::forgive_token_failure;
    const bool is_blocked = state_.status == UserAgentStatus::blocked;
    if (is_blocked && state_.token_failures < policy.token_failures_to_block) {
        auto refusal = user_agent_table.refusal(state_.status, verb, state_.id.value);
        refusal.detail += ": it was not blocked for that";
        return refusal;
    }
    const auto to = is_blocked ? UserAgentStatus::available : state_.status;
    if (auto moved = user_agent_table.move(state_.status, verb, to, state_.id.value); !moved) return moved;
    state_.token_failures = std::max(state_.token_failures - 1, 0);
    state_.updated_at = now;
    return {};
}

// Where it is suspended already, the later end holds.
void UserAgent::suspend(const HealthPolicy& policy, TimePoint now, std::optional<Duration> retry_after) {
    const auto until = policy.suspended_until(state_.health, now, retry_after);
    state_.suspended_until = std::max(until, state_.suspended_until.value_or(until));
    if (!state_.suspended_at) state_.suspended_at = now;
    drop_token();
}

void UserAgent::begin_afresh(const HealthPolicy& policy) {
    end_suspension();
    state_.health = policy.recovered_health;
    drop_token();
    state_.token_failures = 0;
    state_.token_failed_at.reset();
}

void UserAgent::end_suspension() {
    state_.suspended_at.reset();
    state_.suspended_until.reset();
    state_.throttled = false;
}

void UserAgent::drop_token() {
    state_.token = {};
    state_.token_issued_at.reset();
}

Preference preference(const UserAgent& agent) {
    const auto& state = agent.state();
    return {.without_token = state.token.empty(),
            .health_missing = HealthPolicy::best - state.health,
            .last_used_at = state.last_used_at.value_or(TimePoint::min()),
            .id = state.id};
}

}  // namespace crawler
