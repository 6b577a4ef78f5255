#include <catch2/catch_template_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "queue_players.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

ScheduleRule a_rule(const std::string& expression = "rate(1 day)") {
    return {.name = "mustit-crawler-shop-1", .expression = expression, .input = R"({"sellerId":"shop-1"})"};
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("schedule rules: a rule is found as it was put", "[contract][schedule_rules]", RuleFixtures) {
    TestType f;
    auto rule = a_rule();
    rule.enabled = GENERATE(true, false);

    REQUIRE(f.run(f.rules->put(rule)));

    const auto found = f.run(f.rules->find(rule.name));
    REQUIRE(found);
    REQUIRE(found->has_value());
    CHECK((**found == rule));
}

TEMPLATE_LIST_TEST_CASE("schedule rules: a rule that is not there is empty, not an error", "[contract][schedule_rules]",
                        RuleFixtures) {
    TestType f;
    const auto found = f.run(f.rules->find("mustit-crawler-shop-1"));
    REQUIRE(found);
    CHECK_FALSE(found->has_value());
}

TEMPLATE_LIST_TEST_CASE("schedule rules: putting a rule again makes it equal to the new one",
                        "[contract][schedule_rules]", RuleFixtures) {
    TestType f;
    REQUIRE(f.run(f.rules->put(a_rule())));
    auto changed = a_rule("rate(3 days)");
    changed.enabled = false;

    REQUIRE(f.run(f.rules->put(changed)));
    REQUIRE(f.run(f.rules->put(changed)));

    const auto found = f.run(f.rules->find(changed.name));
    REQUIRE(found->has_value());
    CHECK((**found == changed));
}

TEMPLATE_LIST_TEST_CASE("schedule rules: a removed rule is gone, and removing it again is success",
                        "[contract][schedule_rules]", RuleFixtures) {
    TestType f;
    REQUIRE(f.run(f.rules->put(a_rule())));

    CHECK(f.run(f.rules->remove(a_rule().name)));
    CHECK_FALSE(f.run(f.rules->find(a_rule().name))->has_value());
    CHECK(f.run(f.rules->remove(a_rule().name)));
}

TEMPLATE_LIST_TEST_CASE("schedule rules: an expression that is none is invalid and leaves the old rule",
                        "[contract][schedule_rules]", RuleFixtures) {
    TestType f;
    REQUIRE(f.run(f.rules->put(a_rule())));

    const auto* bad = GENERATE("", "daily", "rate(0 days)", "rate(1 days)", "rate(2 day)", "rate(-1 days)",
                               "rate(1 day", "rate(1 fortnight)", "rate(1 day) ");

    CHECK(code_of(f.run(f.rules->put(a_rule(bad)))) == "INVALID");
    CHECK((**f.run(f.rules->find(a_rule().name)) == a_rule()));
}

TEMPLATE_LIST_TEST_CASE("schedule rules: a name that is none is invalid", "[contract][schedule_rules]", RuleFixtures) {
    TestType f;
    auto rule = a_rule();
    rule.name = GENERATE("", "mustit-crawler-머스트잇", "mustit-crawler-a b",
                         "mustit-crawler-this-id-of-fifty-characters-is-one-more-than-fitss");

    CHECK(code_of(f.run(f.rules->put(rule))) == "INVALID");
}

TEMPLATE_LIST_TEST_CASE("schedule rules: the rule of every seller is accepted", "[contract][schedule_rules]",
                        RuleFixtures) {
    TestType f;
    for (const auto* seller : {"shop-1", "머스트잇 '샵' \"1\"", ".hidden", "a/b"}) {
        const auto rule = rule_of(seller_id(seller), days(3));
        CHECK(f.run(f.rules->put(rule)));
        CHECK((**f.run(f.rules->find(rule.name)) == rule));
    }
}

TEMPLATE_LIST_TEST_CASE("schedule rules: every interval a seller may have is accepted", "[contract][schedule_rules]",
                        RuleFixtures) {
    TestType f;
    for (int count = 1; count <= 30; ++count) CHECK(f.run(f.rules->put(a_rule(rate_expression(days(count))))));
}
