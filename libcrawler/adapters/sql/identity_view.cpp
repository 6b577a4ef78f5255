#include "adapters/sql/identity_view.hpp"

#include <algorithm>

#include "adapters/sql/identity_budget.hpp"

namespace crawler::adapters::sql {
namespace {

PoolStatus status_in(Session& session) {
    PoolStatus all;
    for (auto& row : session.select({"status", "COUNT(*)", "SUM(health)", "MIN(health)", "MAX(health)"},
                                    "FROM user_agents GROUP BY status")) {
        const auto status = row.word<UserAgentStatus>();
        const auto count = row.small_number();
        all.health_sum += row.number();
        const auto least = row.small_number();
        all.health_min = all.total == 0 ? least : std::min(all.health_min, least);
        all.health_max = std::max(all.health_max, row.small_number());
        all.total += count;
        if (status == UserAgentStatus::available) all.available = count;
        if (status == UserAgentStatus::suspended) all.suspended = count;
        if (status == UserAgentStatus::blocked) all.blocked = count;
    }
    return all;
}

}  // namespace

ports::PoolView view_of(Session& session, const PoolState& pool, const SqlIdentityPoolConfig& config, TimePoint now,
                        Duration horizon) {
    ports::PoolView view{.identities = status_in(session), .breaker = pool.breaker.state().status};
    const auto available = view.identities.available;
    view.identities.budget_left = left_in_windows(session, config.limits, available, now);
    view.left_this_hour = left_in_ceiling(session, config.ceiling, now);
    const auto then = now + horizon;
    const ports::Servable most{.available = available,
                               .in_windows = left_in_windows(session, config.limits, available, then),
                               .in_ceiling = left_in_ceiling(session, config.ceiling, then),
                               .per_second = config.ceiling.per_second,
                               .spacing = config.limits.spacing,
                               .breaker_free_at = pool.breaker.free_at(now)};
    view.servable = ports::servable(most, view.breaker, now, horizon);
    return view;
}

}  // namespace crawler::adapters::sql
