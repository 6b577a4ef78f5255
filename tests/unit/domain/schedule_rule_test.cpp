#include "domain/schedule_rule.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <set>

#include "support/builders/seller.hpp"

using namespace crawler;
using namespace crawler::test;

TEST_CASE("schedule rule: it is named after its seller") {
    CHECK(rule_name(seller_id("shop-1")) == "mustit-crawler-shop-1");
    CHECK(rule_name(seller_id("A.b_C-9")) == "mustit-crawler-A.b_C-9");
}

TEST_CASE("schedule rule: an id of 49 characters still fits a name of 64, one of 50 does not") {
    const auto longest = rule_name(seller_id(std::string(49, 'x')));
    CHECK(longest == "mustit-crawler-" + std::string(49, 'x'));
    CHECK(longest.size() == 64);

    CHECK(rule_name(seller_id(std::string(50, 'x'))).starts_with("mustit-crawler-."));
}

TEST_CASE("schedule rule: an id that is no name becomes a dot and 32 hexadecimal digits") {
    const std::string id = GENERATE("머스트잇", "a b", "shop/1", ".hidden", "👜");

    const auto name = rule_name(seller_id(id));

    CHECK(name.size() == 48);
    CHECK(name.starts_with("mustit-crawler-."));
    CHECK(name.find_first_not_of("0123456789abcdef", 16) == std::string::npos);
    CHECK(is_rule_name(name));
}

TEST_CASE("schedule rule: a name is the same on every machine and in every version") {
    CHECK(rule_name(seller_id("머스트잇")) == rule_name(seller_id("머스트잇")));
    CHECK(rule_name(seller_id("머스트잇")) == "mustit-crawler-.209e160fb08dd85b4d63dfce348f9694");
}

TEST_CASE("schedule rule: no seller can take the name of another") {
    const auto korean = rule_name(seller_id("머스트잇"));
    const auto posing = korean.substr(std::string("mustit-crawler-").size());  // starts with the dot

    CHECK(rule_name(seller_id(posing)) != korean);
    CHECK(rule_name(seller_id(posing)).starts_with("mustit-crawler-."));
}

TEST_CASE("schedule rule: many ids have as many names") {
    std::set<std::string> names;
    for (int i = 0; i < 20'000; ++i) names.insert(rule_name(seller_id("셀러 " + std::to_string(i))));

    CHECK(names.size() == 20'000);
}

TEST_CASE("schedule rule: what EventBridge takes as a name") {
    CHECK(is_rule_name("a"));
    CHECK(is_rule_name("AZaz09.-_"));
    CHECK(is_rule_name(std::string(64, 'x')));
    CHECK_FALSE(is_rule_name(""));
    CHECK_FALSE(is_rule_name(std::string(65, 'x')));
    for (const auto* bad : {"a b", "a/b", "a@b", "a[b", "a`b", "a{b", "a:b", "가"}) CHECK_FALSE(is_rule_name(bad));
}

TEST_CASE("schedule rule: one day is singular, more are plural") {
    CHECK(rate_expression(days(1)) == "rate(1 day)");
    CHECK(rate_expression(days(2)) == "rate(2 days)");
    CHECK(rate_expression(days(30)) == "rate(30 days)");
}

TEST_CASE("schedule rule: every rate leads back to its interval") {
    for (int count = 1; count <= 30; ++count) {
        const auto interval = parse_rate(rate_expression(days(count)));
        REQUIRE(interval);
        CHECK(interval->count() == count);
    }
}

TEST_CASE("schedule rule: whatever else is no rate of ours") {
    const std::string text =
        GENERATE("", "rate", "rate()", "rate(1 days)", "rate(2 day)", "rate(0 days)", "rate(31 days)", "rate(-1 days)",
                 "rate(+2 days)", "rate(02 days)", "rate(2  days)", "rate(2 days) ", " rate(2 days)", "rate(2 days",
                 "Rate(2 days)", "rate(2 hours)", "rate(2.0 days)", "rate(4294967298 days)", "cron(0 9 * * ? *)");

    const auto interval = parse_rate(text);

    REQUIRE_FALSE(interval);
    CHECK(interval.error().code == Errc::invalid);
    CHECK(interval.error().detail.find("'" + text + "'") == 0);
}

TEST_CASE("schedule rule: the trigger is told the seller in JSON") {
    CHECK(trigger_input(seller_id("머스트잇 1")) == R"({"sellerId":"머스트잇 1"})");
    CHECK(trigger_input(seller_id(R"(a"b\c)")) == R"({"sellerId":"a\"b\\c"})");
}

TEST_CASE("schedule rule: a seller's rule is whole and enabled") {
    const auto rule = rule_of(seller_id("shop-1"), days(3));

    CHECK((rule == ScheduleRule{"mustit-crawler-shop-1", "rate(3 days)", R"({"sellerId":"shop-1"})", true}));
}
