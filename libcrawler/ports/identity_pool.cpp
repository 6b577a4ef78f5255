#include "ports/identity_pool.hpp"

#include <algorithm>

namespace crawler::ports {

std::int64_t servable(const Servable& most, BreakerStatus breaker, TimePoint now, Duration horizon) {
    const auto least = std::min(most.in_windows, most.in_ceiling);
    if (breaker != BreakerStatus::closed)
        return most.breaker_free_at > now + horizon ? 0 : std::min<std::int64_t>(least, 1);
    const auto in_seconds = most.per_second * (horizon / std::chrono::seconds{1} + 1);
    const auto spaced = most.spacing > Duration{0} ? most.available * (horizon / most.spacing + 1) : least;
    return std::min({least, in_seconds, spaced});
}

}  // namespace crawler::ports
