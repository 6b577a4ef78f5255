#include "domain/session_policy.hpp"

#include <algorithm>

#include "domain/stable_hash.hpp"

namespace crawler {

Result<> SessionPolicy::check() const {
    if (spread < Duration{0}) return Error{Errc::invalid, "sessions: spread must be 0 or more"};
    if (lifetime <= spread) return Error{Errc::invalid, "sessions: lifetime must be longer than spread"};
    if (retry <= Duration{0}) return Error{Errc::invalid, "sessions: retry must be more than 0"};
    if (at_once < 1)
        return Error{Errc::invalid, "sessions: at_once is " + std::to_string(at_once) + "; it must be at least 1"};
    if (look_again <= Duration{0}) return Error{Errc::invalid, "sessions: look_again must be more than 0"};
    return {};
}

TimePoint SessionPolicy::due_at(const UserAgent::State& agent) const {
    if (agent.suspended_until) return *agent.suspended_until;
    const auto tried = agent.token_failed_at ? *agent.token_failed_at + retry : agent.created_at;
    // A token of unknown age may be as old as any.
    if (agent.token.empty() || !agent.token_issued_at) return tried;
    const auto own_moment = stable_hash(agent.id.value) % (static_cast<std::uint64_t>(spread.count()) + 1);
    return std::max(tried, *agent.token_issued_at + lifetime - Duration{static_cast<std::int64_t>(own_moment)});
}

}  // namespace crawler
