#include "domain/judgement.hpp"

#include <algorithm>

namespace crawler {
namespace {

int price_of(RequestOutcome outcome, const UserAgent& agent, const HealthPolicy& policy) {
    return agent.is_available() ? std::min(policy.loss(outcome), agent.state().health) : 0;
}

// Who is turned away at the door keeps the token it has: that one was not shown.
RequestOutcome without_token(RequestOutcome outcome) {
    return outcome == RequestOutcome::refused ? RequestOutcome::failed : outcome;
}

Judgement session_failed(UserAgent& agent, Blame& blame, RequestOutcome outcome, const HealthPolicy& policy,
                         TimePoint now) {
    const auto verdict = blame.record(std::string(session_endpoint), agent.state().id, price_of(outcome, agent, policy),
                                      now, agent.is_available());
    const auto fair = verdict.endpoint_at_fault ? policy.lenient() : policy;
    auto result = agent.fail_to_issue_token(fair, now);
    if (result && agent.is_available()) result = agent.report(outcome, fair, now);
    return {std::move(result), verdict.forgiven};
}

}  // namespace

Judgement judge(UserAgent& agent, Blame& blame, const Deed& deed, const HealthPolicy& policy, TimePoint now) {
    const auto outcome = deed.outcome;
    if (outcome == RequestOutcome::succeeded) blame.succeeded(deed.endpoint);
    const bool may_be_the_endpoint = outcome != RequestOutcome::succeeded && outcome != RequestOutcome::throttled;
    if (!may_be_the_endpoint || deed.endpoint.empty()) return {agent.report(outcome, policy, now, deed.retry_after)};

    const auto verdict = blame.record(deed.endpoint, agent.state().id, price_of(outcome, agent, policy), now);
    return {agent.report(outcome, verdict.endpoint_at_fault ? policy.lenient() : policy, now), verdict.forgiven};
}

Judgement judge_session(UserAgent& agent, Blame& blame, Result<Secret> session, const HealthPolicy& policy,
                        TimePoint now) {
    const auto outcome = session_outcome(session);
    if (outcome == RequestOutcome::throttled) return {agent.report(outcome, policy, now, session.error().retry_after)};
    if (outcome != RequestOutcome::succeeded) return session_failed(agent, blame, without_token(outcome), policy, now);
    blame.succeeded(std::string(session_endpoint));
    if (auto reported = agent.report(outcome, policy, now); !reported) return {std::move(reported)};
    return {agent.issue_token(*std::move(session), now)};
}

RequestOutcome session_outcome(const Result<Secret>& session) {
    if (session) return session->empty() ? RequestOutcome::failed : RequestOutcome::succeeded;
    const auto outcome = outcome_of(session.error().code);
    // Nobody is sent away from the front door with a good answer that is no session.
    return outcome == RequestOutcome::succeeded ? RequestOutcome::failed : outcome;
}

Result<> forgive(UserAgent& agent, const Blame::Charge& charge, const HealthPolicy& policy, TimePoint now) {
    if (charge.token_failure) {
        if (auto forgiven = agent.forgive_token_failure(policy, now); !forgiven) return forgiven;
    }
    return agent.forgive(charge.health, policy, now);
}

}  // namespace crawler
