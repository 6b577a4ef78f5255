#include "domain/retry_policy.hpp"

#include <algorithm>

#include "domain/stable_hash.hpp"

namespace crawler {
namespace {

// In [0, 1): the 53 bits that a double holds.
double chance(std::string_view key, int number) {
    const auto hash = stable_hash(key, static_cast<std::uint64_t>(number));
    return static_cast<double>(hash >> 11) / static_cast<double>(1ULL << 53);
}

}  // namespace

std::optional<Duration> RetryPolicy::next_wait(int retries_done, std::string_view key) const {
    if (retries_done >= max_retries) return std::nullopt;
    auto wait = first_wait;
    for (int i = 0; i < retries_done && wait < longest_wait; ++i) wait *= 2;
    wait = std::min(wait, longest_wait);
    const auto shortened = static_cast<double>(wait.count()) * (1 - jitter_percent / 100.0 * chance(key, retries_done));
    return Duration{static_cast<Duration::rep>(shortened)};
}

std::optional<Duration> RetryPolicy::next_wait(int retries_done, std::string_view key, Duration asked) const {
    const auto wait = next_wait(retries_done, key);
    if (!wait) return wait;
    return std::max(*wait, std::min(asked, longest_asked));
}

}  // namespace crawler
