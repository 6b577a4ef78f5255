// Longer than usual: the rules of one aggregate, each with both sides of its bound.
#include "domain/user_agent.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>

#include "support/builders/user_agent.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

constexpr TimePoint t0{std::chrono::sys_days{std::chrono::year{2026} / 11 / 18} + 9h};
const HealthPolicy policy;
using enum RequestOutcome;

// The health after an outcome, and whether the identity is still lent.
std::pair<int, UserAgentStatus> after(int health, RequestOutcome outcome) {
    auto agent = a_user_agent().with_health(health).build();
    REQUIRE(agent.report(outcome, policy, t0));
    return {agent.state().health, agent.state().status};
}

}  // namespace

TEST_CASE("user agent: a new one is AVAILABLE, in best health, and has no token") {
    const auto agent = UserAgent::enroll(UserAgentId{"ua-4294967297"}, "Mozilla/5.0", t0);

    REQUIRE(agent);
    CHECK(agent->state().id == UserAgentId{"ua-4294967297"});
    CHECK(agent->state().user_agent_string == "Mozilla/5.0");
    CHECK(agent->is_available());
    CHECK(agent->state().health == 100);
    CHECK(agent->state().token.empty());
    CHECK_FALSE(agent->state().last_used_at);
    CHECK(agent->state().created_at == t0);
    CHECK(agent->state().updated_at == t0);
}

TEST_CASE("user agent: a string that could not stand in a header is refused") {
    for (const auto* text : {"", "   ", "Mozilla\r\nX-Evil: 1", "tab\there", "모질라/5.0", "del\x7f"}) {
        CAPTURE(text);
        const auto agent = UserAgent::enroll(UserAgentId{"ua-1"}, text, t0);
        REQUIRE_FALSE(agent);
        CHECK(agent.error().code == Errc::invalid);
    }
    CHECK(UserAgent::enroll(UserAgentId{"ua-1"}, " ~", t0));
}

TEST_CASE("user agent: lending notes when it was used") {
    auto agent = a_user_agent().build();

    REQUIRE(agent.lend(t0 + 5s));

    CHECK(agent.state().last_used_at == t0 + 5s);
    CHECK(agent.state().updated_at == t0 + 5s);
}

TEST_CASE("user agent: one without a token is not lent") {
    auto agent = a_user_agent().without_token().build();

    const auto lent = agent.lend(t0);

    REQUIRE_FALSE(lent);
    CHECK(lent.error().code == Errc::conflict);
    CHECK(lent.error().detail.find("no token") != std::string::npos);
    CHECK_FALSE(agent.state().last_used_at);
}

TEST_CASE("user agent: a success adds five, up to a hundred") {
    CHECK(after(50, succeeded) == std::pair(55, UserAgentStatus::available));
    CHECK(after(95, succeeded) == std::pair(100, UserAgentStatus::available));
    CHECK(after(96, succeeded) == std::pair(100, UserAgentStatus::available));
    CHECK(after(100, succeeded) == std::pair(100, UserAgentStatus::available));
}

TEST_CASE("user agent: a success suspends nobody, however low the health is") {
    CHECK(after(10, succeeded) == std::pair(15, UserAgentStatus::available));
}

TEST_CASE("user agent: a server error takes ten, and below thirty it is suspended") {
    CHECK(after(100, server_error) == std::pair(90, UserAgentStatus::available));
    CHECK(after(40, server_error) == std::pair(30, UserAgentStatus::available));
    CHECK(after(39, server_error) == std::pair(29, UserAgentStatus::suspended));
}

TEST_CASE("user agent: any other failure takes five, and below thirty it is suspended") {
    for (const auto outcome : {failed, refused, unanswered}) {
        CHECK(after(100, outcome) == std::pair(95, UserAgentStatus::available));
        CHECK(after(35, outcome) == std::pair(30, UserAgentStatus::available));
        CHECK(after(34, outcome) == std::pair(29, UserAgentStatus::suspended));
    }
}

TEST_CASE("user agent: health never falls below zero") {
    CHECK(after(3, failed).first == 0);
    CHECK(after(9, server_error).first == 0);
    CHECK(after(19, throttled).first == 0);
    CHECK(after(20, throttled).first == 0);
}

TEST_CASE("user agent: a 429 takes twenty, suspends at once for an hour and drops the token") {
    auto agent = a_user_agent().build();

    REQUIRE(agent.report(throttled, policy, t0));

    CHECK(agent.state().health == 80);
    CHECK(agent.state().status == UserAgentStatus::suspended);
    CHECK(agent.state().token.empty());
    CHECK(agent.state().suspended_at == t0);
    CHECK(agent.state().suspended_until == t0 + 1h);
    CHECK(agent.state().throttled);
}

TEST_CASE("user agent: a Retry-After beyond the suspension prolongs it") {
    auto longer = a_user_agent().build();
    REQUIRE(longer.report(throttled, policy, t0, 2h));
    CHECK(longer.state().suspended_until == t0 + 2h);

    auto shorter = a_user_agent().build();
    REQUIRE(shorter.report(throttled, policy, t0, 30s));
    CHECK(shorter.state().suspended_until == t0 + 1h);
}

TEST_CASE("user agent: only a 429 may ask for a longer suspension") {
    auto agent = a_user_agent().with_health(39).build();

    REQUIRE(agent.report(server_error, policy, t0, 9h));

    CHECK(agent.state().suspended_until == t0 + 6h);
}

TEST_CASE("user agent: one whose health is below the floor goes into the long quarantine, and comes back from it") {
    auto agent = a_user_agent().with_health(34).build();
    REQUIRE(agent.report(failed, policy, t0));
    CHECK(agent.state().suspended_until == t0 + 6h);
    CHECK_FALSE(agent.state().throttled);
    CHECK(agent.state().token.empty());

    CHECK_FALSE(agent.recover(policy, t0 + 6h - 1us));
    REQUIRE(agent.recover(policy, t0 + 6h));
    CHECK(agent.is_available());
}

TEST_CASE("user agent: a refusal drops the token and nothing else drops it without a suspension") {
    auto turned_away = a_user_agent().build();
    REQUIRE(turned_away.report(refused, policy, t0));
    CHECK(turned_away.state().token.empty());
    CHECK(turned_away.is_available());

    auto unlucky = a_user_agent().with_token("token-7").build();
    REQUIRE(unlucky.report(server_error, policy, t0));
    REQUIRE(unlucky.report(failed, policy, t0));
    CHECK(unlucky.state().token.reveal() == "token-7");
}

TEST_CASE("user agent: a late 429 prolongs the suspension and never shortens it") {
    auto agent = a_user_agent().with_health(80).suspended(t0, t0 + 1h).build();

    REQUIRE(agent.report(throttled, policy, t0 + 10s));
    CHECK(agent.state().suspended_until == t0 + 10s + 1h);
    CHECK(agent.state().suspended_at == t0);
    CHECK(agent.state().health == 60);

    auto resting = a_user_agent().with_health(100).suspended(t0, t0 + 9h).build();
    REQUIRE(resting.report(throttled, policy, t0 + 10s, 2h));
    CHECK(resting.state().suspended_until == t0 + 9h);
}

TEST_CASE("user agent: a late report of anything else is a conflict and changes nothing") {
    for (const auto outcome : {succeeded, server_error, refused, failed, unanswered}) {
        CAPTURE(to_string(outcome));
        auto agent = a_user_agent().with_health(10).suspended(t0, t0 + 1h).build();
        const auto reported = agent.report(outcome, policy, t0 + 10s);
        REQUIRE_FALSE(reported);
        CHECK(reported.error().code == Errc::conflict);
        CHECK(agent.state().health == 10);
        CHECK(agent.state().suspended_until == t0 + 1h);
    }
}

TEST_CASE("user agent: it recovers when its time is over, with a health of 70 and no token") {
    auto agent = a_user_agent().with_health(5).suspended(t0, t0 + 1h).with_token("old").build();

    REQUIRE(agent.recover(policy, t0 + 1h));

    CHECK(agent.is_available());
    CHECK(agent.state().health == 70);
    CHECK(agent.state().token.empty());
    CHECK_FALSE(agent.state().suspended_at);
    CHECK_FALSE(agent.state().suspended_until);
    CHECK_FALSE(agent.state().throttled);
    CHECK(agent.state().updated_at == t0 + 1h);
}

TEST_CASE("user agent: before its time is over the sweep is refused and told the time") {
    auto agent = a_user_agent().suspended(t0, t0 + 1h).build();

    const auto early = agent.recover(policy, t0 + 1h - 1us);

    REQUIRE_FALSE(early);
    CHECK(early.error().code == Errc::conflict);
    CHECK(early.error().detail == "UserAgent ua-1 is SUSPENDED; cannot recover it before 2026-11-18T10:00:00.000000Z");
    CHECK(agent.state().status == UserAgentStatus::suspended);
}

TEST_CASE("user agent: an administrator recovers it before its time") {
    auto agent = a_user_agent().with_health(80).suspended(t0, t0 + 1h).build();

    REQUIRE(agent.recover_early(policy, t0 + 1s));

    CHECK(agent.is_available());
    CHECK(agent.state().health == 70);
}

TEST_CASE("user agent: a suspension whose end was lost is over") {
    auto state = a_user_agent().suspended(t0, t0 + 1h).build().state();
    state.suspended_until.reset();
    auto agent = UserAgent::restore(state);

    CHECK(agent.recover(policy, t0));
}

TEST_CASE("user agent: the third token issue that fails in a row blocks it") {
    auto agent = a_user_agent().without_token().build();

    REQUIRE(agent.fail_to_issue_token(policy, t0));
    REQUIRE(agent.fail_to_issue_token(policy, t0));
    CHECK(agent.is_available());
    CHECK(agent.state().token_failures == 2);
    REQUIRE(agent.fail_to_issue_token(policy, t0));
    CHECK(agent.state().status == UserAgentStatus::blocked);
}

TEST_CASE("user agent: blocked for its token issues it loses the token it had") {
    auto agent = a_user_agent().with_token("old").with_token_failures(2).build();

    REQUIRE(agent.fail_to_issue_token(policy, t0));

    CHECK(agent.state().status == UserAgentStatus::blocked);
    CHECK(agent.state().token.empty());
}

TEST_CASE("user agent: an issued token ends the row of failures") {
    auto agent = a_user_agent().without_token().with_token_failures(2).build();

    REQUIRE(agent.issue_token(Secret("fresh"), t0));
    CHECK(agent.state().token.reveal() == "fresh");
    CHECK(agent.state().token_failures == 0);
    REQUIRE(agent.fail_to_issue_token(policy, t0));
    CHECK(agent.is_available());
}

TEST_CASE("user agent: an empty token is none") {
    auto agent = a_user_agent().with_token("old").with_token_failures(1).build();

    CHECK(agent.issue_token(Secret(), t0).error().code == Errc::invalid);
    CHECK(agent.state().token.reveal() == "old");
    CHECK(agent.state().token_failures == 1);
}

TEST_CASE("user agent: blocking takes the token and ends a suspension") {
    auto agent = a_user_agent().suspended(t0, t0 + 1h).with_token("leftover").build();

    REQUIRE(agent.block(t0 + 1s));

    CHECK(agent.state().status == UserAgentStatus::blocked);
    CHECK(agent.state().token.empty());
    CHECK_FALSE(agent.state().suspended_until);
    CHECK(agent.state().updated_at == t0 + 1s);
}

TEST_CASE("user agent: unblocked it begins afresh") {
    auto agent = a_user_agent().with_health(3).blocked().with_token_failures(3).build();

    REQUIRE(agent.unblock(policy, t0));

    CHECK(agent.is_available());
    CHECK(agent.state().health == 70);
    CHECK(agent.state().token.empty());
    CHECK(agent.state().token_failures == 0);
}

TEST_CASE("user agent: forgiven it gets its health back, up to a hundred") {
    auto agent = a_user_agent().with_health(80).build();

    REQUIRE(agent.forgive(10, policy, t0));
    CHECK(agent.state().health == 90);
    REQUIRE(agent.forgive(15, policy, t0));
    CHECK(agent.state().health == 100);
    REQUIRE(agent.forgive(-5, policy, t0));
    CHECK(agent.state().health == 100);
}

TEST_CASE("user agent: suspended for its health alone it is available again once forgiven up to the floor") {
    auto enough = a_user_agent().with_health(25).suspended(t0, t0 + 6h, false).build();
    REQUIRE(enough.forgive(5, policy, t0 + 1s));
    CHECK(enough.is_available());
    CHECK(enough.state().health == 30);
    CHECK_FALSE(enough.state().suspended_until);

    auto too_little = a_user_agent().with_health(24).suspended(t0, t0 + 6h, false).build();
    REQUIRE(too_little.forgive(5, policy, t0 + 1s));
    CHECK(too_little.state().status == UserAgentStatus::suspended);
    CHECK(too_little.state().health == 29);
    CHECK(too_little.state().suspended_until == t0 + 6h);
}

TEST_CASE("user agent: a 429 is not undone by forgiving something else") {
    auto agent = a_user_agent().with_health(60).suspended(t0, t0 + 1h).build();

    REQUIRE(agent.forgive(10, policy, t0 + 1s));

    CHECK(agent.state().status == UserAgentStatus::suspended);
    CHECK(agent.state().health == 70);
}

TEST_CASE("user agent: the pool prefers one with a token, then the healthiest, then the one unused for longest") {
    std::set<Preference> order;
    order.insert(preference(a_user_agent().with_id("bare").without_token()));
    order.insert(preference(a_user_agent().with_id("ill").with_health(60)));
    order.insert(preference(a_user_agent().with_id("recent").used_at(t0 + 1s)));
    order.insert(preference(a_user_agent().with_id("earlier").used_at(t0)));
    order.insert(preference(a_user_agent().with_id("never")));
    order.insert(preference(a_user_agent().with_id("never-2")));

    std::vector<std::string> ids;
    for (const auto& key : order) ids.push_back(key.id.value);
    CHECK(ids == std::vector<std::string>{"never", "never-2", "earlier", "recent", "ill", "bare"});
}
