#include "domain/time.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace crawler;

TEST_CASE("time: an instant prints as RFC 3339 in UTC with all six digits of the fraction") {
    CHECK(to_rfc3339(TimePoint{}) == "1970-01-01T00:00:00.000000Z");
    CHECK(to_rfc3339(TimePoint{std::chrono::microseconds{1'795'000'000'000'001}}) == "2026-11-18T11:06:40.000001Z");
}

TEST_CASE("time: an instant before 1970 prints its own day, not the next") {
    CHECK(to_rfc3339(TimePoint{std::chrono::microseconds{-1}}) == "1969-12-31T23:59:59.999999Z");
}
