#include "domain/retry_policy.hpp"

#include <catch2/catch_test_macros.hpp>
#include <limits>

using namespace crawler;
using namespace std::chrono_literals;

TEST_CASE("retry policy: the wait doubles up to the longest") {
    const RetryPolicy policy{.max_retries = 10, .first_wait = 1s, .longest_wait = 10s};

    CHECK(policy.next_wait(0) == 1s);
    CHECK(policy.next_wait(1) == 2s);
    CHECK(policy.next_wait(2) == 4s);
    CHECK(policy.next_wait(3) == 8s);
    CHECK(policy.next_wait(4) == 10s);
    CHECK(policy.next_wait(9) == 10s);
}

TEST_CASE("retry policy: when the retries are spent there is no wait") {
    CHECK(RetryPolicy{.max_retries = 2}.next_wait(1));
    CHECK_FALSE(RetryPolicy{.max_retries = 2}.next_wait(2));
    CHECK_FALSE(RetryPolicy{.max_retries = 2}.next_wait(3));
    CHECK_FALSE(RetryPolicy{.max_retries = 0}.next_wait(0));
}

TEST_CASE("retry policy: a first wait over the longest is cut") {
    CHECK(RetryPolicy{.first_wait = 1h, .longest_wait = 1min}.next_wait(0) == 1min);
}

TEST_CASE("retry policy: no number of retries overflows") {
    const RetryPolicy policy{.max_retries = std::numeric_limits<int>::max(), .first_wait = 1s, .longest_wait = 24h};

    CHECK(policy.next_wait(std::numeric_limits<int>::max() - 1) == 24h);
}
