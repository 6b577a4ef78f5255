#include "domain/session_policy.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>

#include "support/builders/user_agent.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

constexpr TimePoint t0{std::chrono::sys_days{std::chrono::year{2026} / 11 / 18} + 9h};
const SessionPolicy policy{.lifetime = 20h, .spread = 4h, .retry = 5min};
const HealthPolicy health;

UserAgent fresh(const std::string& id) {
    return *UserAgent::enroll(UserAgentId{id}, "Mozilla/5.0", t0);
}
TimePoint due(const UserAgent& agent) {
    return policy.due_at(agent.state());
}

}  // namespace

TEST_CASE("session policy: who has no token needs a session at once") {
    CHECK(due(fresh("ua-1")) == t0);
}

TEST_CASE("session policy: a token is renewed in the last hours of its life, each identity's at a moment of its own") {
    std::set<TimePoint> moments;
    for (int i = 0; i < 200; ++i) {
        auto agent = fresh("ua-" + std::to_string(i));
        REQUIRE(agent.issue_token(Secret("token"), t0 + 1h));
        const auto at = due(agent);
        REQUIRE(at > t0 + 17h - 1us);
        REQUIRE(at <= t0 + 21h);
        CHECK(at == due(agent));
        moments.insert(at);
    }
    CHECK(moments.size() == 200);
    // No quarter of the time has more than half of them.
    for (int quarter = 0; quarter < 4; ++quarter) {
        const auto from = moments.lower_bound(t0 + 17h + quarter * 1h);
        const auto to = moments.lower_bound(t0 + 18h + quarter * 1h);
        CHECK(std::distance(from, to) < 100);
    }
}

TEST_CASE("session policy: after a failure the next try waits, with a token or without") {
    auto agent = fresh("ua-1");
    REQUIRE(agent.fail_to_issue_token(health, t0 + 1h));
    CHECK(due(agent) == t0 + 1h + 5min);

    REQUIRE(agent.issue_token(Secret("token"), t0 + 2h));
    REQUIRE(agent.fail_to_issue_token(health.lenient(), t0 + 30h));
    CHECK(due(agent) == t0 + 30h + 5min);
}

TEST_CASE("session policy: a token of unknown age is as old as any") {
    CHECK(due(a_user_agent().with_token("old")) == TimePoint{});
}

TEST_CASE("session policy: who is SUSPENDED needs a session when it comes back") {
    CHECK(due(a_user_agent().suspended(t0, t0 + 1h)) == t0 + 1h);
}

TEST_CASE("session policy: values that make no sense are refused by name") {
    const auto refusal = [](const SessionPolicy& bad) { return bad.check() ? "none" : bad.check().error().detail; };

    CHECK(SessionPolicy{}.check());
    CHECK(refusal({.lifetime = 4h, .spread = 4h}) == "sessions: lifetime must be longer than spread");
    CHECK(refusal({.spread = -1s}) == "sessions: spread must be 0 or more");
    CHECK(refusal({.retry = 0s}) == "sessions: retry must be more than 0");
    CHECK(refusal({.at_once = 0}) == "sessions: at_once is 0; it must be at least 1");
    CHECK(refusal({.look_again = 0s}) == "sessions: look_again must be more than 0");
}
