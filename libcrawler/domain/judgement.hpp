// What a request's outcome does to the identity that made it, and to those that are innocent after all: the price is paid by
// whose fault it was. Used by every pool, so that all judge alike.
#pragma once
#include <string>
#include <vector>

#include "domain/blame.hpp"
#include "domain/user_agent.hpp"

namespace crawler {

// Where sessions are opened, as far as blame is concerned.
inline constexpr std::string_view session_endpoint = "SESSION";

struct Judgement {
    Result<> result;                        // what the identity said; conflict: it was suspended or blocked meanwhile
    std::vector<Blame::Charge> forgiven{};  // see forgive
};

struct Deed {
    RequestOutcome outcome{};
    std::string endpoint;                 // empty: nobody but the identity can be at fault
    std::optional<Duration> retry_after;  // what a 429 asked for
};
Judgement judge(UserAgent& agent, Blame& blame, const Deed& deed, const HealthPolicy& policy, TimePoint now);

// The same for a request that was to open a session. A token of nothing is a failure.
Judgement judge_session(UserAgent& agent, Blame& blame, Result<Secret> session, const HealthPolicy& policy,
                        TimePoint now);
// How such a request ended.
RequestOutcome session_outcome(const Result<Secret>& session);

// Gives back what turned out to be the endpoint's fault. conflict: it was blocked by an administrator meanwhile.
Result<> forgive(UserAgent& agent, const Blame::Charge& charge, const HealthPolicy& policy, TimePoint now);

}  // namespace crawler
