// How often and after which wait something is tried again.
#pragma once
#include <optional>

#include "domain/time.hpp"

namespace crawler {

struct RetryPolicy {
    int max_retries = 2;
    Duration first_wait = std::chrono::seconds{1};
    Duration longest_wait = std::chrono::minutes{10};

    // The wait before retry number `retries_done + 1`, doubling from first_wait; empty when the retries are spent.
    std::optional<Duration> next_wait(int retries_done) const;
};

}  // namespace crawler
