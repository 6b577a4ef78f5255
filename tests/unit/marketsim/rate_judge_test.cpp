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
    CHECK(judge.report().at("closestSpacingMs").as_double() == 500.001);
}

TEST_CASE("rate judge: everybody has a limit of their own", "[marketsim]") {
    RateJudge judge({.per_hour = 1, .hour = 1h, .spacing = 1s});
    CHECK_FALSE(judge.arrive("a", 0s));

    CHECK_FALSE(judge.arrive("b", 0s));
    CHECK(judge.report().at("identities") == 2);
}

TEST_CASE("rate judge: without a limit nobody is counted", "[marketsim]") {
    RateJudge judge({.per_hour = 0});

    for (int i = 0; i < 1000; ++i) CHECK_FALSE(judge.arrive("a", 0s));
    CHECK(judge.identities() == 0);
}
