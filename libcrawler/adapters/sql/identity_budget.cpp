#include "adapters/sql/identity_budget.hpp"

#include <algorithm>

#include "adapters/sql/trouble.hpp"

namespace crawler::adapters::sql {
namespace {

constexpr Duration second = std::chrono::seconds{1};

Duration memory_of(const WindowLimits& limits) {
    return std::max(limits.span + limits.guard, limits.spacing);
}
Duration memory_of(const CeilingLimits& limits) {
    return std::chrono::hours{1} + limits.guard;
}

}  // namespace

OwnBudget own_budget(Session& session, const UserAgentId& identity, const WindowLimits& limits) {
    auto rows = session.select({"reserved_at", "lease_end", "answered_at"},
                               "FROM request_ledger WHERE identity_id = ? ORDER BY reserved_at DESC LIMIT ?",
                               {identity, limits.limit});
    std::vector<RequestWindow::Stamp> stamps;
    auto busy_until = TimePoint::min();
    for (auto& row : rows) {
        RequestWindow::Stamp stamp{.reservation = rows.size() - stamps.size()};
        stamp.reserved = row.instant();
        stamp.lease_end = row.instant();
        stamp.answered = row.optional_instant();
        if (!stamp.answered) busy_until = std::max(busy_until, stamp.lease_end + limits.guard);
        stamps.push_back(stamp);
    }
    auto window = RequestWindow::restore(limits, std::move(stamps));
    if (!window) throw DatabaseError(Trouble::corrupt, "ledger of " + identity.value + ": " + window.error().detail);
    return {*std::move(window), busy_until};
}

// It has no guard band: without an answer the end of the lease is the last moment.
TimePoint second_free_at(Session& session, const CeilingLimits& limits, TimePoint now) {
    auto row = session.select_one(
        {"CASE WHEN latest_at > lease_end THEN lease_end ELSE latest_at END AS seen_at"},
        "FROM request_ledger WHERE latest_at > ? AND lease_end > ? ORDER BY seen_at DESC LIMIT 1 OFFSET ?",
        {now - second, now - second, limits.per_second - 1});
    return row ? row->instant() + second : now;
}

HostHour host_hour(Session& session, const CeilingLimits& limits, TimePoint now) {
    const auto since = now - memory_of(limits);
    const auto used =
        session.number("COUNT(*) FROM (SELECT latest_at FROM request_ledger WHERE latest_at > ? LIMIT ?) counted",
                       {since, limits.per_hour});
    if (used < limits.per_hour) return {limits.per_hour - used, now};
    // The row that is a whole budget back: when it no longer counts there is room for one.
    auto row = session.select_one({"latest_at"},
                                  "FROM request_ledger WHERE latest_at > ? ORDER BY latest_at DESC LIMIT 1 OFFSET ?",
                                  {since, limits.per_hour - 1});
    return {0, row.value().instant() + memory_of(limits)};
}

std::int64_t left_in_ceiling(Session& session, const CeilingLimits& limits, TimePoint then) {
    const auto used = session.number("COUNT(*) FROM request_ledger WHERE latest_at > ?", {then - memory_of(limits)});
    return std::max<std::int64_t>(0, limits.per_hour - used);
}

// Grouped by an expression, because SQLite would rather walk over all of the ledger in the order of its identities than find the last
// hour's requests by their index.
std::int64_t left_in_windows(Session& session, const WindowLimits& limits, std::int64_t available, TimePoint then) {
    const auto used = session.number(
        "SUM(CASE WHEN asked.requests < ? THEN asked.requests ELSE ? END) FROM (SELECT MIN(identity_id) AS "
        "identity_id, "
        "COUNT(*) AS requests FROM request_ledger WHERE latest_at > ? GROUP BY COALESCE(identity_id, '')) asked "
        "JOIN user_agents agent ON agent.id = asked.identity_id WHERE agent.status = 'AVAILABLE'",
        {limits.limit, limits.limit, then - memory_of(limits)});
    return std::max<std::int64_t>(0, available * limits.limit - used);
}

}  // namespace crawler::adapters::sql
