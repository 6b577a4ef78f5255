// When a schedule rule fires: its rate in time, what is planned, and what becomes of firings that nobody was there for. Used by the
// embedded scheduler, wherever it keeps its rules.
#pragma once
#include <optional>
#include <vector>

#include "domain/schedule_rule.hpp"

namespace crawler {

// invalid: not of the form rate(5 minutes), rate(1 hour), rate(3 days), with the unit singular for one and only for one, as
// EventBridge has it.
Result<Duration> rate_interval(std::string_view expression);

struct PlannedRule {
    ScheduleRule rule;
    TimePoint next_fire_at;
};
// The rule as it is put now. Its plan stays where its rate did; else it begins with one interval, as EventBridge's rates do. What it
// would have fired while it was not enabled is not made up for. invalid: the name or the expression is refused.
Result<PlannedRule> plan(const std::optional<PlannedRule>& before, ScheduleRule rule, TimePoint now);

// What becomes of firings whose time went by while no scheduler ran.
enum class CatchUp {
    once,   // one firing stands for all of them
    skip,   // none; a firing counts as missed when it is later than `tolerance`
    every,  // all of them, the latest `most`
};
constexpr auto names(CatchUp) {
    return std::to_array<EnumName<CatchUp>>(
        {{CatchUp::once, "once"}, {CatchUp::skip, "skip"}, {CatchUp::every, "every"}});
}
struct CatchUpPolicy {
    CatchUp missed = CatchUp::once;
    Duration tolerance = std::chrono::minutes{5};
    int most = 10;
};

struct Firings {
    std::vector<TimePoint> times;  // for which the rule fires now, oldest first; may be none
    TimePoint next;                // always one of the times that were planned from the beginning
};
// Of a rule whose time has come.
Firings firings_due(TimePoint next_fire_at, Duration interval, TimePoint now, const CatchUpPolicy& policy);

}  // namespace crawler
