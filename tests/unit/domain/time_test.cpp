#include "domain/time.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace crawler;

TEST_CASE("time: an instant prints as RFC 3339 in UTC with all six digits of the fraction") {
    CHECK(to_rfc3339(TimePoint{}) == "1970-01-01T00:00:00.000000Z");
    CHECK(to_rfc3339(TimePoint{std::chrono::microseconds{1'795'000'000'000'001}}) == "2026-11-18T11:06:40.000001Z");
}

TEST_CASE("time: an instant before 1970 prints its own day, not the next") {
    CHECK(to_rfc3339(TimePoint{std::chrono::microseconds{-1}}) == "1969-12-31T23:59:59.999999Z");
}

TEST_CASE("time: what was printed is read back, to the microsecond") {
    for (const auto count : {0LL, -1LL, 1'795'000'000'000'001LL, 4'102'444'799'999'999LL, 951'782'400'000'000LL}) {
        const TimePoint time{std::chrono::microseconds{count}};
        const auto read = parse_rfc3339(to_rfc3339(time));
        REQUIRE(read);
        CHECK(*read == time);
    }
}

TEST_CASE("time: another form, or a moment that there is not, is refused with the rule") {
    for (const std::string text :
         {"", "2026-11-18", "2026-11-18T09:00:00Z", "2026-11-18T09:00:00.00000Z", "2026-11-18T09:00:00.0000000Z",
          "2026-11-18 09:00:00.000000Z", "2026-11-18T09:00:00.000000+", "2026-11-18T09:00:0x.000000Z",
          "2026-02-29T09:00:00.000000Z", "2026-13-01T09:00:00.000000Z", "2026-00-01T09:00:00.000000Z",
          "2026-11-31T09:00:00.000000Z", "2026-11-18T24:00:00.000000Z", "2026-11-18T09:60:00.000000Z",
          "2026-11-18T09:00:60.000000Z", "-026-11-18T09:00:00.000000Z"}) {
        CAPTURE(text);
        const auto read = parse_rfc3339(text);
        REQUIRE_FALSE(read);
        CHECK(read.error() == Error{Errc::invalid, "time '" + text + "': must be like 2026-11-18T09:00:00.000000Z"});
    }
}

TEST_CASE("time: the 29th of February is there in a leap year, and the last moment of a day is its own") {
    CHECK(parse_rfc3339("2028-02-29T23:59:59.999999Z"));
    CHECK(*parse_rfc3339("2028-02-29T23:59:59.999999Z") + std::chrono::microseconds{1} ==
          *parse_rfc3339("2028-03-01T00:00:00.000000Z"));
}
