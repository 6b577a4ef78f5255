#include "ports/retry_after.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace crawler;
using namespace std::chrono_literals;

namespace {

std::optional<Duration> asked(const std::string& wait, const std::string& date = "Wed, 18 Nov 2026 08:59:30 GMT",
                              Duration longest = 1h) {
    return ports::retry_after({.status = 429, .headers = {{"date", date}, {"retry-after", wait}}, .body = {}}, longest);
}

}  // namespace

TEST_CASE("retry after: seconds are taken as they are") {
    CHECK(asked("0") == 0s);
    CHECK(asked("120") == 120s);
    CHECK(asked("007") == 7s);
}

TEST_CASE("retry after: a date is taken against the answer's own clock") {
    CHECK(asked("Wed, 18 Nov 2026 09:00:00 GMT") == 30s);
    CHECK(asked("Wed, 18 Nov 2026 08:59:30 GMT") == 0s);
    CHECK(asked("Thu, 19 Nov 2026 00:00:00 GMT", "Wed, 18 Nov 2026 23:59:59 GMT") == 1s);
    CHECK(asked("Wed, 01 Mar 2028 00:00:00 GMT", "Tue, 29 Feb 2028 23:59:00 GMT") == 60s);
}

TEST_CASE("retry after: the past is now") {
    CHECK(asked("Wed, 18 Nov 2026 08:00:00 GMT") == 0s);
}

TEST_CASE("retry after: nobody waits for longer than the longest") {
    CHECK(asked("3601") == 1h);
    CHECK(asked("99999999999999999999999") == 1h);
    CHECK(asked("9223372036854775807") == 1h);
    CHECK(asked("Fri, 18 Dec 2026 09:00:00 GMT") == 1h);
    CHECK(asked("2", "", 1500ms) == 1500ms);
}

TEST_CASE("retry after: what cannot be understood asks for nothing") {
    for (const std::string wait :
         {"", "-1", "+5", "1.5", "5 s", "soon", "Wed, 18 Nov 2026 09:00:00", "2026-11-18T09:00:00Z",
          "Wed, 31 Feb 2026 09:00:00 GMT", "Wed, 18 Nov 2026 25:00:00 GMT", "Wed, 18 Non 2026 09:00:00 GMT",
          "Wed, x8 Nov 2026 09:00:00 GMT"}) {
        CAPTURE(wait);
        CHECK_FALSE(asked(wait));
    }
    CHECK_FALSE(asked("Wed, 18 Nov 2026 09:00:00 GMT", "yesterday"));
    CHECK_FALSE(ports::retry_after({.status = 503, .headers = {}, .body = {}}, 1h));
}
