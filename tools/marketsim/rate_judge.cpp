#include "rate_judge.hpp"

#include <algorithm>
#include <boost/json/array.hpp>

namespace marketsim {

std::optional<SimTime> RateJudge::arrive(const std::string& identity, SimTime now) {
    if (limits_.per_hour == 0) return std::nullopt;
    auto& log = logs_[identity];
    // Two arrivals exactly an hour apart are never in one hour.
    while (!log.arrivals.empty() && log.arrivals.front() <= now - limits_.hour) log.arrivals.pop_front();
    log.arrivals.push_back(now);
    const auto in_hour = static_cast<std::int64_t>(log.arrivals.size());
    log.worst_hour = std::max(log.worst_hour, in_hour);
    worst_hour_ = std::max(worst_hour_, in_hour);

    const auto gap = log.last ? std::optional(now - *log.last) : std::nullopt;
    log.last = now;
    if (gap && (!closest_ || *gap < *closest_)) closest_ = gap;

    const bool is_over = in_hour > limits_.per_hour;
    const bool is_close = gap && *gap < limits_.spacing;
    over_hour_ += is_over ? 1 : 0;
    too_close_ += is_close ? 1 : 0;
    log.violations += is_over || is_close ? 1 : 0;
    if (!is_over && !is_close) return std::nullopt;

    auto wait = limits_.spacing;
    if (is_over) {
        // Refused ones count too, so so many must have left the hour that one more fits.
        const auto leaving = log.arrivals[static_cast<std::size_t>(in_hour - limits_.per_hour)];
        wait = std::max(wait, leaving + limits_.hour - now);
    }
    return wait;
}

boost::json::object RateJudge::report() const {
    boost::json::array offenders;
    for (const auto& [identity, log] : logs_) {
        if (log.violations == 0) continue;
        offenders.push_back(
            boost::json::object{{"identity", identity}, {"worstHour", log.worst_hour}, {"violations", log.violations}});
        if (offenders.size() == 20) break;
    }
    boost::json::object report{{"limit", limits_.per_hour},        {"spacingMs", in_milliseconds(limits_.spacing)},
                               {"identities", logs_.size()},       {"worstHour", worst_hour_},
                               {"closestSpacingMs", nullptr},      {"violations", violations()},
                               {"overHour", over_hour_},           {"tooClose", too_close_},
                               {"offenders", std::move(offenders)}};
    if (closest_) report["closestSpacingMs"] = static_cast<double>(closest_->count()) / 1000;
    return report;
}

}  // namespace marketsim
