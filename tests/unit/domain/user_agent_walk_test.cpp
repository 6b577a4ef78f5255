#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <map>

#include "domain/user_agent_table.hpp"
#include "support/builders/user_agent.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

constexpr TimePoint t0{std::chrono::sys_days{std::chrono::year{2026} / 11 / 18} + 9h};
const HealthPolicy policy;
using Status = UserAgentStatus;
using Verb = UserAgentVerb;

UserAgent in(Status status) {
    switch (status) {
        case Status::available:
            return a_user_agent().with_health(50);
        case Status::suspended:
            return a_user_agent().with_health(50).suspended(t0 - 1h, t0);
        case Status::blocked:
            break;
    }
    return a_user_agent().with_health(50).blocked().with_token_failures(policy.token_failures_to_block);
}

const std::map<Verb, std::function<Result<>(UserAgent&)>> verbs{
    {Verb::lend, [](UserAgent& a) { return a.lend(t0); }},
    {Verb::lend_for_session, [](UserAgent& a) { return a.lend_for_session(t0); }},
    {Verb::report_success, [](UserAgent& a) { return a.report(RequestOutcome::succeeded, policy, t0); }},
    {Verb::report_throttling, [](UserAgent& a) { return a.report(RequestOutcome::throttled, policy, t0); }},
    {Verb::report_server_error, [](UserAgent& a) { return a.report(RequestOutcome::server_error, policy, t0); }},
    {Verb::report_failure, [](UserAgent& a) { return a.report(RequestOutcome::failed, policy, t0); }},
    {Verb::report_refusal, [](UserAgent& a) { return a.report(RequestOutcome::refused, policy, t0); }},
    {Verb::forgive, [](UserAgent& a) { return a.forgive(5, policy, t0); }},
    {Verb::recover, [](UserAgent& a) { return a.recover(policy, t0); }},
    {Verb::block, [](UserAgent& a) { return a.block(t0); }},
    {Verb::unblock, [](UserAgent& a) { return a.unblock(policy, t0); }},
    {Verb::issue_token, [](UserAgent& a) { return a.issue_token(Secret("new"), t0); }},
    {Verb::fail_to_issue_token, [](UserAgent& a) { return a.fail_to_issue_token(policy, t0); }},
    {Verb::forgive_token_failure, [](UserAgent& a) { return a.forgive_token_failure(policy, t0); }},
};

// Where each verb leads an identity of health 50; empty: it is refused.
const std::map<Verb, std::map<Status, Status>> expected{
    {Verb::lend, {{Status::available, Status::available}}},
    {Verb::lend_for_session, {{Status::available, Status::available}}},
    {Verb::report_success, {{Status::available, Status::available}}},
    {Verb::report_throttling, {{Status::available, Status::suspended}, {Status::suspended, Status::suspended}}},
    {Verb::report_server_error, {{Status::available, Status::available}}},
    {Verb::report_failure, {{Status::available, Status::available}}},
    {Verb::report_refusal, {{Status::available, Status::available}}},
    {Verb::forgive, {{Status::available, Status::available}, {Status::suspended, Status::suspended}}},
    {Verb::recover, {{Status::suspended, Status::available}}},
    {Verb::block, {{Status::available, Status::blocked}, {Status::suspended, Status::blocked}}},
    {Verb::unblock, {{Status::blocked, Status::available}}},
    {Verb::issue_token, {{Status::available, Status::available}}},
    {Verb::fail_to_issue_token, {{Status::available, Status::available}}},
    {Verb::forgive_token_failure,
     {{Status::available, Status::available},
      {Status::suspended, Status::suspended},
      {Status::blocked, Status::available}}},
};

bool same(const UserAgent::State& a, const UserAgent::State& b) {
    return a.id == b.id && a.user_agent_string == b.user_agent_string && a.token.reveal() == b.token.reveal() &&
           a.status == b.status && a.health == b.health && a.last_used_at == b.last_used_at &&
           a.suspended_at == b.suspended_at && a.suspended_until == b.suspended_until && a.throttled == b.throttled &&
           a.token_failures == b.token_failures && a.token_issued_at == b.token_issued_at &&
           a.token_failed_at == b.token_failed_at && a.created_at == b.created_at && a.updated_at == b.updated_at &&
           a.revision == b.revision;
}

}  // namespace

TEST_CASE("user agent: every verb in every state leads where it should, or is refused and changes nothing") {
    for (const auto& state : names(Status{})) {
        for (const auto& verb : names(Verb{})) {
            CAPTURE(state.name, verb.name);
            auto agent = in(state.value);
            const auto before = agent.state();
            const auto& row = expected.at(verb.value);
            const auto to = row.find(state.value);

            const auto done = verbs.at(verb.value)(agent);

            CHECK(user_agent_table.allows(state.value, verb.value) == (to != row.end()));
            if (to != row.end()) {
                REQUIRE(done);
                CHECK(agent.state().status == to->second);
                CHECK(user_agent_table.allows(state.value, verb.value, to->second));
                continue;
            }
            REQUIRE_FALSE(done);
            CHECK(done.error().code == Errc::conflict);
            CHECK(done.error().detail ==
                  "UserAgent ua-1 is " + std::string(state.name) + "; cannot " + std::string(verb.name) + " it");
            CHECK(same(agent.state(), before));
        }
    }
}

TEST_CASE("user agent: the table has no arrow that the rules do not have") {
    // Beside the grid above: where a verb leads elsewhere because of a number.
    const std::map<Verb, std::map<Status, Status>> by_number{
        {Verb::report_server_error, {{Status::available, Status::suspended}}},
        {Verb::report_failure, {{Status::available, Status::suspended}}},
        {Verb::report_refusal, {{Status::available, Status::suspended}}},
        {Verb::forgive, {{Status::suspended, Status::available}}},
        {Verb::fail_to_issue_token, {{Status::available, Status::blocked}}},
    };
    const auto says = [](const auto& grid, Verb verb, Status from, Status to) {
        const auto row = grid.find(verb);
        if (row == grid.end()) return false;
        const auto entry = row->second.find(from);
        return entry != row->second.end() && entry->second == to;
    };

    for (const auto& from : names(Status{})) {
        for (const auto& to : names(Status{})) {
            for (const auto& verb : names(Verb{})) {
                CAPTURE(from.name, verb.name, to.name);
                CHECK(user_agent_table.allows(from.value, verb.value, to.value) ==
                      (says(expected, verb.value, from.value, to.value) ||
                       says(by_number, verb.value, from.value, to.value)));
            }
        }
    }
}

TEST_CASE("user agent: an outcome is one verb; no answer is a failure like others") {
    CHECK(verb_of(RequestOutcome::succeeded) == Verb::report_success);
    CHECK(verb_of(RequestOutcome::throttled) == Verb::report_throttling);
    CHECK(verb_of(RequestOutcome::server_error) == Verb::report_server_error);
    CHECK(verb_of(RequestOutcome::refused) == Verb::report_refusal);
    CHECK(verb_of(RequestOutcome::failed) == Verb::report_failure);
    CHECK(verb_of(RequestOutcome::unanswered) == Verb::report_failure);
}

TEST_CASE("user agent: states and outcomes are stored by their names") {
    CHECK(to_string(Status::suspended) == "SUSPENDED");
    CHECK(parse<Status>("BLOCKED") == Status::blocked);
    CHECK_FALSE(parse<Status>("available"));
    CHECK(parse<RequestOutcome>("UNANSWERED") == RequestOutcome::unanswered);
}
