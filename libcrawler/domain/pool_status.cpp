#include "domain/pool_status.hpp"

#include <algorithm>

namespace crawler {

void PoolStatus::add(const UserAgent& agent, const RequestWindow& window, TimePoint now) {
    const auto health = agent.state().health;
    health_min = total == 0 ? health : std::min(health_min, health);
    health_max = std::max(health_max, health);
    health_sum += health;
    ++total;
    switch (agent.state().status) {
        case UserAgentStatus::available:
            ++available;
            budget_left += window.left(now);
            break;
        case UserAgentStatus::suspended:
            ++suspended;
            break;
        case UserAgentStatus::blocked:
            ++blocked;
            break;
    }
}

double PoolStatus::available_rate() const {
    return total == 0 ? 0.0 : 100.0 * available / total;
}

double PoolStatus::health_average() const {
    return total == 0 ? 0.0 : static_cast<double>(health_sum) / total;
}

}  // namespace crawler
