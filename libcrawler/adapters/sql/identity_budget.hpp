// What the request ledger says of budgets: how much an identity, and the host, have been asked, and when they may be asked again.
// Nothing here is remembered between two transactions.
#pragma once
#include "adapters/sql/session.hpp"
#include "domain/host_ceiling.hpp"

namespace crawler::adapters::sql {

struct OwnBudget {
    RequestWindow window;
    TimePoint busy_until;  // of a request without an answer: it may still be on its way

    TimePoint free_at(TimePoint now) const { return std::max(window.free_at(now), busy_until); }
};
// Reads as many rows as the limit says, by index: requests of one identity follow each other, so that older ones cannot matter.
OwnBudget own_budget(Session& session, const UserAgentId& identity, const WindowLimits& limits);

// When the host may be asked next, by the last second; now, if at once.
TimePoint second_free_at(Session& session, const CeilingLimits& limits, TimePoint now);
// The same by the last hour, and how many requests there is room for then. Counts off an index up to `per_hour` entries, never the
// table.
struct HostHour {
    std::int64_t room = 0;
    TimePoint free_at;
};
HostHour host_hour(Session& session, const CeilingLimits& limits, TimePoint now);
// What is left of the host's hour `then`, if nothing is asked before.
std::int64_t left_in_ceiling(Session& session, const CeilingLimits& limits, TimePoint then);
// The same of the windows of so many AVAILABLE identities.
std::int64_t left_in_windows(Session& session, const WindowLimits& limits, std::int64_t available, TimePoint then);

}  // namespace crawler::adapters::sql
