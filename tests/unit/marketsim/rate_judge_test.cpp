#include "rate_judge.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace marketsim;
using namespace std::chrono_literals;

TEST_CASE("rate judge: eighty in an hour are welcome, the next is refused and counted", "[marketsim]") {
    RateJudge judge({});
    for (int i = 0; i < 80; ++i) REQUIRE_FALSE(judge.arrive("a", i * 2s));

    const auto wait = judge.arrive("a", 160s);

    REQUIRE(wait);
    CHECK(*wait == 1h + 2s - 160s);  // the first two must be gone, for the refused one counts as well
    CHECK(judge.worst_hour() == 81);
    CHECK(judge.violations() == 1);
}

TEST_CASE("rate judge: two that are exactly an hour apart are never in one hour", "[marketsim]") {
    RateJudge judge({.per_hour = 1, .hour = 1h, .spacing = 0s});
    CHECK_FALSE(judge.arrive("a", 0s));

    CHECK_FALSE(judge.arrive("a", 1h));
    CHECK(judge.arrive("a", 2h - 1us));
}

TEST_CASE("rate judge: an hour is any hour, not one of the clock's", "[marketsim]") {
    RateJudge judge({.per_hour = 4, .hour = 1h, .spacing = 0s});
    for (const auto at : {50min, 55min, 65min, 70min}) CHECK_FALSE(judge.arrive("a", at));

    CHECK(judge.arrive("a", 75min));
    CHECK(judge.worst_hour() == 5);
}

TEST_CASE("rate judge: less than a second after the last, answered or refused, is too close", "[marketsim]") {
    RateJudge judge({});
    CHECK_FALSE(judge.arrive("a", 0s));

    CHECK(judge.arrive("a", 999999us) == 1s);
    CHECK(judge.arrive("a", 1500ms));
    CHECK_FALSE(judge.arrive("a", 2500ms));
    CHECK(judge.violations() == 2);
    CHECK(judge.report(9).at("closestSpacingMs").as_double() == 500.001);
}

TEST_CASE("rate judge: one request too many that is too close as well is one violation", "[marketsim]") {
    RateJudge judge({.per_hour = 1, .hour = 1h, .spacing = 1s});
    judge.arrive("a", 0s);

    judge.arrive("a", 500ms);

    CHECK(judge.violations() == 1);
    CHECK(judge.report(9).at("violations") == 1);
    CHECK(judge.report(9).at("overHour") == 1);
    CHECK(judge.report(9).at("tooClose") == 1);
}

TEST_CASE("rate judge: everybody has a limit of their own", "[marketsim]") {
    RateJudge judge({.per_hour = 1, .hour = 1h, .spacing = 1s});
    CHECK_FALSE(judge.arrive("a", 0s));

    CHECK_FALSE(judge.arrive("b", 0s));
    CHECK(judge.report(9).at("identities") == 2);
}

TEST_CASE("rate judge: of everybody the worst hour can be seen, the worst first", "[marketsim]") {
    RateJudge judge({});
    for (int i = 0; i < 3; ++i) judge.arrive("b", i * 2s);
    judge.arrive("c", 0s);
    judge.arrive("a", 0s);

    const auto identities = judge.report(2).at("byIdentity").as_array();

    REQUIRE(identities.size() == 2);
    CHECK(identities.at(0) ==
          boost::json::object{{"identity", "b"}, {"worstHour", 3}, {"closestSpacingMs", 2000.0}, {"violations", 0}});
    CHECK(identities.at(1) ==
          boost::json::object{{"identity", "a"}, {"worstHour", 1}, {"closestSpacingMs", nullptr}, {"violations", 0}});
    CHECK(judge.report(0).at("identities") == 3);
}

TEST_CASE("rate judge: without a limit nobody is counted", "[marketsim]") {
    RateJudge judge({.per_hour = 0});

    for (int i = 0; i < 1000; ++i) CHECK_FALSE(judge.arrive("a", 0s));
    CHECK(judge.identities() == 0);
}
