#include "domain/judgement.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/builders/user_agent.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;
using enum RequestOutcome;

namespace {

constexpr TimePoint t0{std::chrono::sys_days{std::chrono::year{2026} / 11 / 18} + 9h};
const HealthPolicy policy;
const Error down{Errc::unavailable, "503"};

struct Court {
    Blame blame;
    UserAgent a = a_user_agent().with_id("a").with_token_of(t0);
    UserAgent b = a_user_agent().with_id("b").with_token_of(t0);
    UserAgent c = a_user_agent().with_id("c").with_token_of(t0);

    Judgement request(UserAgent& agent, RequestOutcome outcome, const std::string& endpoint = "DETAIL") {
        return judge(agent, blame, {outcome, endpoint, {}}, policy, t0);
    }
    Judgement session(UserAgent& agent, Result<Secret> session) {
        return judge_session(agent, blame, std::move(session), policy, t0);
    }
};

}  // namespace

TEST_CASE("judgement: a failure costs its identity, until the third proves that it was the endpoint") {
    Court court;
    CHECK(court.request(court.a, server_error).result);
    CHECK(court.request(court.b, server_error).result);
    CHECK(court.a.state().health == 90);

    const auto last = court.request(court.c, server_error);

    CHECK(court.c.state().health == 100);
    REQUIRE(last.forgiven.size() == 2);
    CHECK(forgive(court.a, last.forgiven.at(0), policy, t0));
    CHECK(forgive(court.b, last.forgiven.at(1), policy, t0));
    CHECK(court.a.state().health == 100);
    CHECK(court.b.state().health == 100);
}

TEST_CASE("judgement: without an endpoint nobody but the identity can be at fault") {
    Court court;
    for (auto* agent : {&court.a, &court.b, &court.c}) {
        CHECK(court.request(*agent, server_error, "").result);
        CHECK(agent->state().health == 90);
    }
}

TEST_CASE("judgement: a session that was opened is a success and a new token") {
    Court court;
    CHECK(court.session(court.a, Error{Errc::invalid, "no"}).result);

    CHECK(court.session(court.a, Secret("new")).result);

    CHECK(court.a.state().token.reveal() == "new");
    CHECK(court.a.state().token_issued_at == t0);
    CHECK(court.a.state().token_failures == 0);
    CHECK(court.a.state().health == 100);
}

TEST_CASE("judgement: a session that failed leaves the token that is there, and counts") {
    Court court;
    for (const auto code : {Errc::blocked, Errc::timeout}) CHECK(court.session(court.a, Error{code, "no"}).result);

    CHECK(court.a.state().token.reveal() == "token-1");
    CHECK(court.a.state().token_failures == 2);
    CHECK(court.a.state().health == 90);
}

TEST_CASE("judgement: after the third failure the identity is blocked and no more is asked of it") {
    Court court;
    for (int i = 0; i < 3; ++i) CHECK(court.session(court.a, down).result);

    CHECK(court.a.state().status == UserAgentStatus::blocked);
    CHECK(court.session(court.a, down).result.error().code == Errc::conflict);
}

TEST_CASE("judgement: a 429 for a session suspends for as long as it asks, and counts for nothing else") {
    Court court;
    CHECK(court.session(court.a, Error{Errc::rate_limited, "429", 3h}).result);

    CHECK(court.a.state().status == UserAgentStatus::suspended);
    CHECK(court.a.state().suspended_until == t0 + 3h);
    CHECK(court.a.state().token_failures == 0);
}

TEST_CASE("judgement: whom the site's failure has blocked is unblocked, whom an administrator blocked is not") {
    Court court;
    for (int i = 0; i < 2; ++i) CHECK(court.session(court.a, Error{Errc::invalid, "its own"}).result);
    court.blame.succeeded(std::string(session_endpoint));
    CHECK(court.session(court.a, down).result);
    REQUIRE(court.a.state().status == UserAgentStatus::blocked);
    CHECK(court.session(court.b, down).result);
    REQUIRE(court.b.block(t0));

    const auto last = court.session(court.c, down);

    CHECK(court.c.state().token_failures == 0);
    REQUIRE(last.forgiven.size() == 2);
    CHECK(forgive(court.a, last.forgiven.at(0), policy, t0));
    CHECK(court.a.is_available());
    CHECK(court.a.state().token_failures == 2);
    CHECK_FALSE(forgive(court.b, last.forgiven.at(1), policy, t0));
    CHECK(court.b.state().status == UserAgentStatus::blocked);
}

TEST_CASE("judgement: how a session ended") {
    CHECK(session_outcome(Secret("token")) == succeeded);
    CHECK(session_outcome(Secret("")) == failed);
    CHECK(session_outcome(Error{Errc::not_found, "404"}) == failed);
    CHECK(session_outcome(Error{Errc::rate_limited, "429"}) == throttled);
    CHECK(session_outcome(Error{Errc::blocked, "403"}) == refused);
    CHECK(session_outcome(Error{Errc::timeout, "late"}) == unanswered);
    CHECK(session_outcome(down) == server_error);
}
