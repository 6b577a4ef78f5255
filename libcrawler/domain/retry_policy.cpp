#include "domain/retry_policy.hpp"

#include <algorithm>

namespace crawler {

std::optional<Duration> RetryPolicy::next_wait(int retries_done) const {
    if (retries_done >= max_retries) return std::nullopt;
    auto wait = first_wait;
    for (int i = 0; i < retries_done && wait < longest_wait; ++i) wait *= 2;
    return std::min(wait, longest_wait);
}

}  // namespace crawler
