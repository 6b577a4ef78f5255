// Every identity there can ever be: all verbs from the first state on, from every state that they lead to, until no new one comes.
#include <catch2/catch_test_macros.hpp>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "domain/user_agent_table.hpp"
#include "support/t0.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

using Status = UserAgentStatus;
using Verb = UserAgentVerb;
const HealthPolicy policy;

// What decides of what happens next; names, times and counts of saves do not.
using Kind = std::tuple<Status, int, bool, int, bool>;
Kind kind_of(const UserAgent::State& state) {
    return {state.status, state.health, state.throttled, state.token_failures, !state.token.empty()};
}

TimePoint end_of(const UserAgent::State& suspension) {
    return suspension.suspended_until.value_or(t0);
}

struct Way {
    Verb verb;
    std::function<Result<>(UserAgent&)> go;
};
const std::vector<Way>& ways() {
    const auto reports = [](RequestOutcome outcome) {
        return [outcome](UserAgent& agent) { return agent.report(outcome, policy, t0); };
    };
    static const std::vector<Way> all{
        {Verb::lend, [](UserAgent& agent) { return agent.lend(t0); }},
        {Verb::lend_for_session, [](UserAgent& agent) { return agent.lend_for_session(t0); }},
        {Verb::report_success, reports(RequestOutcome::succeeded)},
        {Verb::report_throttling, reports(RequestOutcome::throttled)},
        {Verb::report_server_error, reports(RequestOutcome::server_error)},
        {Verb::report_failure, reports(RequestOutcome::failed)},
        {Verb::report_failure, reports(RequestOutcome::unanswered)},
        {Verb::report_refusal, reports(RequestOutcome::refused)},
        {Verb::forgive, [](UserAgent& agent) { return agent.forgive(5, policy, t0); }},
        {Verb::forgive, [](UserAgent& agent) { return agent.forgive(10, policy, t0); }},
        {Verb::recover, [](UserAgent& agent) { return agent.recover(policy, end_of(agent.state())); }},
        {Verb::recover, [](UserAgent& agent) { return agent.recover_early(policy, t0); }},
        {Verb::block, [](UserAgent& agent) { return agent.block(t0); }},
        {Verb::unblock, [](UserAgent& agent) { return agent.unblock(policy, t0); }},
        {Verb::issue_token, [](UserAgent& agent) { return agent.issue_token(Secret("token"), t0); }},
        {Verb::fail_to_issue_token, [](UserAgent& agent) { return agent.fail_to_issue_token(policy, t0); }},
        {Verb::forgive_token_failure, [](UserAgent& agent) { return agent.forgive_token_failure(policy, t0); }},
    };
    return all;
}

using Arrow = std::tuple<Status, Verb, Status>;
struct Reached {
    std::map<Kind, UserAgent::State> kinds;
    std::set<Arrow> arrows;  // that were walked
};

Reached explore() {
    Reached reached;
    std::deque<UserAgent::State> unseen;
    const auto meet = [&](const UserAgent::State& state) {
        if (reached.kinds.emplace(kind_of(state), state).second) unseen.push_back(state);
    };
    meet(UserAgent::enroll(UserAgentId{"ua-1"}, "Mozilla/5.0", t0)->state());
    while (!unseen.empty()) {
        const auto from = unseen.front();
        unseen.pop_front();
        for (const auto& way : ways()) {
            auto agent = UserAgent::restore(from);
            if (!way.go(agent)) continue;
            reached.arrows.emplace(from.status, way.verb, agent.state().status);
            meet(agent.state());
        }
    }
    return reached;
}
const Reached& everything() {
    static const auto reached = explore();
    return reached;
}

// By itself: no administrator, nobody who forgives.
bool comes_back(UserAgent agent) {
    if (agent.state().status == Status::suspended && !agent.recover(policy, end_of(agent.state()))) return false;
    if (agent.state().token.empty() && !agent.issue_token(Secret("new"), t0)) return false;
    return static_cast<bool>(agent.lend(t0));
}

}  // namespace

TEST_CASE("user agent: every arrow of the table is walked by somebody, and nobody walks another") {
    for (const auto& from : names(Status{})) {
        for (const auto& to : names(Status{})) {
            for (const auto& verb : names(Verb{})) {
                CAPTURE(from.name, verb.name, to.name);
                CHECK(user_agent_table.allows(from.value, verb.value, to.value) ==
                      everything().arrows.contains({from.value, verb.value, to.value}));
            }
        }
    }
}

TEST_CASE("user agent: every state is reached, with every health there can be") {
    std::map<Status, std::set<int>> healths;
    for (const auto& [kind, state] : everything().kinds) healths[state.status].insert(state.health);

    CHECK(*healths[Status::available].begin() == policy.floor);  // below it, it would be SUSPENDED
    CHECK(healths[Status::available].contains(HealthPolicy::best));
    CHECK(healths[Status::suspended].contains(HealthPolicy::worst));
    CHECK(healths[Status::suspended].contains(policy.floor));
    CHECK(healths[Status::blocked].contains(HealthPolicy::best));
}

TEST_CASE("user agent: whoever is not BLOCKED comes back by itself, whoever is by an administrator") {
    for (const auto& [kind, state] : everything().kinds) {
        CAPTURE(to_string(state.status), state.health, state.throttled, state.token_failures, state.token.empty());
        auto agent = UserAgent::restore(state);
        if (state.status == Status::blocked) REQUIRE(agent.unblock(policy, t0));
        CHECK(comes_back(agent));
    }
}

TEST_CASE("user agent: whoever recovers, when its time is over or earlier, has health 70, no token and no failures") {
    int recovered = 0;
    for (const auto& [kind, state] : everything().kinds) {
        if (state.status != Status::suspended) continue;
        CAPTURE(state.health, state.throttled, state.token_failures);
        auto too_early = UserAgent::restore(state);
        CHECK_FALSE(too_early.recover(policy, end_of(state) - 1us));
        for (const bool early : {false, true}) {
            auto agent = UserAgent::restore(state);
            REQUIRE((early ? agent.recover_early(policy, t0) : agent.recover(policy, end_of(state))));
            CHECK(kind_of(agent.state()) == Kind(Status::available, 70, false, 0, false));
            ++recovered;
        }
    }
    CHECK(recovered > 0);
}

TEST_CASE(
    "user agent: the end of a suspension is there exactly while it is SUSPENDED, and its token only while AVAILABLE") {
    for (const auto& [kind, state] : everything().kinds) {
        CAPTURE(to_string(state.status), state.health, state.throttled, state.token_failures);
        CHECK((state.status == Status::suspended) == state.suspended_until.has_value());
        CHECK((state.status == Status::suspended) == state.suspended_at.has_value());
        CHECK((!state.throttled || state.status == Status::suspended));
        CHECK((state.token.empty() || state.status == Status::available));
        if (state.suspended_until) CHECK(*state.suspended_until >= t0 + 1h);
    }
}
