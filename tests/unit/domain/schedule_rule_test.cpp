#include "domain/schedule_rule.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace crawler;

TEST_CASE("schedule rule: it is named after its seller") {
    CHECK(rule_name(*SellerId::parse("shop-1")) == "mustit-crawler-shop-1");
}

TEST_CASE("schedule rule: one day is singular, more are plural") {
    CHECK(rate_expression(*CrawlingInterval::days(1)) == "rate(1 day)");
    CHECK(rate_expression(*CrawlingInterval::days(2)) == "rate(2 days)");
    CHECK(rate_expression(*CrawlingInterval::days(30)) == "rate(30 days)");
}
