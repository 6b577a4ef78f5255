// How often and after which wait something is tried again.
#pragma once
#include <optional>
#include <string_view>

#include "domain/time.hpp"

namespace crawler {

struct RetryPolicy {
    int max_retries = 2;
    Duration first_wait = std::chrono::seconds{1};
    Duration longest_wait = std::chrono::minutes{10};
    // The share of a wait that chance decides, so that what failed together does not come back together. Up to a half, a
    // doubled wait is never shorter than the one before.
    int jitter_percent = 50;

    // The most that somebody else's Retry-After is obeyed for: nobody shall park a task for good.
    Duration longest_asked = std::chrono::hours{24};

    // The wait before retry number `retries_done + 1`: doubling from first_wait, shortened by up to `jitter_percent`. The
    // chance is drawn from `key` (an id) and the number, so the same question has the same answer. Empty when the
    // retries are spent.
    std::optional<Duration> next_wait(int retries_done, std::string_view key) const;
    // The same, but no shorter than what was asked for.
    std::optional<Duration> next_wait(int retries_done, std::string_view key, Duration asked) const;
};

}  // namespace crawler
