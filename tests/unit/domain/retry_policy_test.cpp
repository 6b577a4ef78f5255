#include "domain/retry_policy.hpp"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <string>

using namespace crawler;
using namespace std::chrono_literals;

TEST_CASE("retry policy: the wait doubles up to the longest") {
    const RetryPolicy policy{.max_retries = 10, .first_wait = 1s, .longest_wait = 10s, .jitter_percent = 0};

    CHECK(policy.next_wait(0, "id") == 1s);
    CHECK(policy.next_wait(1, "id") == 2s);
    CHECK(policy.next_wait(2, "id") == 4s);
    CHECK(policy.next_wait(3, "id") == 8s);
    CHECK(policy.next_wait(4, "id") == 10s);
    CHECK(policy.next_wait(9, "id") == 10s);
}

TEST_CASE("retry policy: when the retries are spent there is no wait") {
    CHECK(RetryPolicy{.max_retries = 2}.next_wait(1, "id"));
    CHECK_FALSE(RetryPolicy{.max_retries = 2}.next_wait(2, "id"));
    CHECK_FALSE(RetryPolicy{.max_retries = 2}.next_wait(3, "id"));
    CHECK_FALSE(RetryPolicy{.max_retries = 0}.next_wait(0, "id"));
}

TEST_CASE("retry policy: a first wait over the longest is cut") {
    CHECK(RetryPolicy{.first_wait = 1h, .longest_wait = 1min, .jitter_percent = 0}.next_wait(0, "id") == 1min);
}

TEST_CASE("retry policy: no number of retries overflows") {
    const RetryPolicy policy{
        .max_retries = std::numeric_limits<int>::max(), .first_wait = 1s, .longest_wait = 24h, .jitter_percent = 0};

    CHECK(policy.next_wait(std::numeric_limits<int>::max() - 1, "id") == 24h);
}

TEST_CASE("retry policy: chance shortens a wait by at most its share, and never lengthens it") {
    const RetryPolicy policy{.max_retries = 20, .first_wait = 1s, .longest_wait = 10min, .jitter_percent = 50};
    const RetryPolicy nominal{.max_retries = 20, .first_wait = 1s, .longest_wait = 10min, .jitter_percent = 0};

    for (int id = 0; id < 500; ++id) {
        const auto key = "outbox-" + std::to_string(id);
        for (int retries = 0; retries < policy.max_retries; ++retries) {
            CAPTURE(key, retries);
            const auto wait = *policy.next_wait(retries, key);
            CHECK(wait <= *nominal.next_wait(retries, key));
            CHECK(wait >= *nominal.next_wait(retries, key) / 2);
        }
    }
}

TEST_CASE("retry policy: while waits double, a later one is never shorter than an earlier one, whatever chance says") {
    const RetryPolicy policy{.max_retries = 9, .first_wait = 1s, .longest_wait = 10min, .jitter_percent = 50};

    for (int id = 0; id < 500; ++id) {
        const auto key = "task-" + std::to_string(id);
        for (int retries = 1; retries < policy.max_retries; ++retries) {
            CAPTURE(key, retries);
            CHECK(*policy.next_wait(retries, key) >= *policy.next_wait(retries - 1, key));
        }
    }
}

TEST_CASE("retry policy: the same question has the same answer, another id another one") {
    const RetryPolicy policy{};

    CHECK(policy.next_wait(1, "디몬트-1") == policy.next_wait(1, "디몬트-1"));
    CHECK(policy.next_wait(1, "디몬트-1") != policy.next_wait(1, "디몬트-2"));
}

TEST_CASE("retry policy: each retry has a chance of its own") {
    const RetryPolicy policy{.max_retries = 2, .first_wait = 1min, .longest_wait = 1min};

    CHECK(policy.next_wait(0, "id") != policy.next_wait(1, "id"));
}

TEST_CASE("retry policy: what failed together comes back spread over the whole share") {
    const RetryPolicy policy{.first_wait = 100s, .jitter_percent = 50};
    int early = 0;
    int late = 0;

    for (int id = 0; id < 1000; ++id) {
        const auto wait = *policy.next_wait(0, "id-" + std::to_string(id));
        early += wait < 60s ? 1 : 0;
        late += wait > 90s ? 1 : 0;
    }

    CHECK(early > 150);
    CHECK(late > 150);
}
