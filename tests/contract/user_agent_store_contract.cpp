#include <catch2/catch_template_test_macros.hpp>

#include "contract/fixtures/all.hpp"
#include "contract/fixtures/seed.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

UserAgent an_identity(const std::string& id, const std::string& face = "Mozilla/5.0 (X11) 1") {
    return *UserAgent::enroll(UserAgentId{id}, face, t0);
}

template <class Stores>
UserAgent stored(Stores& f, const std::string& id) {
    auto found = f.run(f.user_agents->find(UserAgentId{id}));
    REQUIRE(found);
    return *found;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("identities: all that were added are there, by id", "[contract][user_agents]", StoreFixtures) {
    TestType f;
    REQUIRE(*f.run(f.user_agents->add({an_identity("ua-2", "face 2"), an_identity("ua-1", "face 1")})) == 2);

    const auto all = f.run(f.user_agents->all());

    REQUIRE(all->size() == 2);
    CHECK(all->at(0).state().id.value == "ua-1");
    CHECK(all->at(1).state().user_agent_string == "face 2");
}

TEMPLATE_LIST_TEST_CASE("identities: a face is there once, however often it is added", "[contract][user_agents]",
                        StoreFixtures) {
    TestType f;
    REQUIRE(f.run(f.user_agents->add({an_identity("ua-1", "face 1")})));

    CHECK(*f.run(f.user_agents->add({an_identity("ua-8", "face 1"), an_identity("ua-2", "face 2")})) == 1);

    CHECK(f.run(f.user_agents->all())->size() == 2);
    CHECK(code_of(f.run(f.user_agents->find(UserAgentId{"ua-8"}))) == "NOT_FOUND");
    CHECK(code_of(f.run(f.user_agents->add({an_identity("ua-1", "face 3")}))) == "CONFLICT");
}

TEMPLATE_LIST_TEST_CASE("identities: everything that is known of one comes back as it was", "[contract][user_agents]",
                        StoreFixtures) {
    TestType f;
    REQUIRE(f.run(f.user_agents->add({an_identity("ua-1")})));
    auto agent = stored(f, "ua-1");
    REQUIRE(agent.issue_token(Secret("eyJ0b2tlbiI6Imtvcj8"), t0 + 1us));
    REQUIRE(agent.lend(t0 + 2us));
    REQUIRE(agent.report(RequestOutcome::server_error, {}, t0 + 3us));

    const auto saved = f.run(f.user_agents->save(agent));

    REQUIRE(saved);
    const auto found = stored(f, "ua-1").state();
    CHECK(found.token.reveal() == "eyJ0b2tlbiI6Imtvcj8");
    CHECK(found.token_issued_at == t0 + 1us);
    CHECK(found.status == UserAgentStatus::available);
    CHECK(found.health == 90);
    CHECK(found.last_used_at == t0 + 2us);
    CHECK(found.updated_at == t0 + 3us);
    CHECK(found.created_at == t0);
    CHECK(found.revision == agent.state().revision + 1);
    CHECK(saved->state().revision == found.revision);
}

TEMPLATE_LIST_TEST_CASE("identities: a suspension, and why, comes back as it was", "[contract][user_agents]",
                        StoreFixtures) {
    TestType f;
    REQUIRE(f.run(f.user_agents->add({an_identity("ua-1")})));
    auto agent = stored(f, "ua-1");
    REQUIRE(agent.fail_to_issue_token({}, t0));
    REQUIRE(agent.report(RequestOutcome::throttled, {}, t0 + 5s));
    REQUIRE(f.run(f.user_agents->save(agent)));

    const auto found = stored(f, "ua-1").state();
    CHECK(found.status == UserAgentStatus::suspended);
    CHECK(found.suspended_at == t0 + 5s);
    CHECK(found.suspended_until == t0 + 5s + 1h);
    CHECK(found.throttled);
    CHECK(found.token_failures == 1);
    CHECK(found.token.empty());
}

TEMPLATE_LIST_TEST_CASE("identities: of two who read the same one only the first saves", "[contract][user_agents]",
                        StoreFixtures) {
    TestType f;
    REQUIRE(f.run(f.user_agents->add({an_identity("ua-1")})));
    auto first = stored(f, "ua-1");
    auto second = stored(f, "ua-1");
    REQUIRE(first.block(t0));
    REQUIRE(second.issue_token(Secret("t"), t0));

    CHECK(f.run(f.user_agents->save(first)));
    CHECK(code_of(f.run(f.user_agents->save(second))) == "CONFLICT");
    CHECK(stored(f, "ua-1").state().status == UserAgentStatus::blocked);
    CHECK(code_of(f.run(f.user_agents->save(an_identity("ua-9")))) == "NOT_FOUND");
}

TEMPLATE_LIST_TEST_CASE(
    "identities: of two who add the same faces at the same time both succeed, and each is there once",
    "[contract][user_agents]", StoreFixtures) {
    TestType f;
    std::vector<UserAgent> ones;
    std::vector<UserAgent> others;
    for (int i = 100; i < 200; ++i) {
        const auto number = std::to_string(i);
        ones.push_back(an_identity("one-" + number, "face " + number));
        others.push_back(an_identity("other-" + number, "face " + number));
    }

    const auto [one, other] = f.run_both(f.user_agents->add(ones), f.user_agents->add(others));

    REQUIRE(one);
    REQUIRE(other);
    CHECK(*one + *other == 100);
    CHECK(f.run(f.user_agents->all())->size() == 100);
}
