#include "rate_judge.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <tuple>
#include <vector>

namespace marketsim {
namespace {

constexpr std::size_t most_offenders = 20;

boost::json::value in_fractions(std::optional<SimTime> time) {
    return time ? boost::json::value(static_cast<double>(time->count()) / 1000) : boost::json::value(nullptr);
}

}  // namespace

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
    if (gap) log.closest = std::min(*gap, log.closest.value_or(*gap));
    if (gap) closest_ = std::min(*gap, closest_.value_or(*gap));

    const bool is_over = in_hour > limits_.per_hour;
    const bool is_close = gap && *gap < limits_.spacing;
    over_hour_ += is_over ? 1 : 0;
    too_close_ += is_close ? 1 : 0;
    if (!is_over && !is_close) return std::nullopt;
    ++log.violations;
    ++violations_;

    auto wait = limits_.spacing;
    if (is_over) {
        // Refused ones count too, so so many must have left the hour that one more fits.
        const auto leaving = log.arrivals[static_cast<std::size_t>(in_hour - limits_.per_hour)];
        wait = std::max(wait, leaving + limits_.hour - now);
    }
    return wait;
}

boost::json::object RateJudge::report(std::size_t most_identities) const {
    boost::json::array offenders;
    std::vector<const std::pair<const std::string, Log>*> ranking;
    for (const auto& entry : logs_) {
        const auto& [identity, log] = entry;
        ranking.push_back(&entry);
        if (log.violations == 0 || offenders.size() == most_offenders) continue;
        offenders.push_back(
            boost::json::object{{"identity", identity}, {"worstHour", log.worst_hour}, {"violations", log.violations}});
    }
    const auto shown = static_cast<std::ptrdiff_t>(std::min(most_identities, ranking.size()));
    std::ranges::partial_sort(ranking, ranking.begin() + shown, [](const auto* a, const auto* b) {
        return std::tie(b->second.worst_hour, a->first) < std::tie(a->second.worst_hour, b->first);
    });
    ranking.resize(static_cast<std::size_t>(shown));
    boost::json::array by_identity;
    for (const auto* entry : ranking) {
        const auto& log = entry->second;
        by_identity.push_back(boost::json::object{{"identity", entry->first},
                                                  {"worstHour", log.worst_hour},
                                                  {"closestSpacingMs", in_fractions(log.closest)},
                                                  {"violations", log.violations}});
    }
    return {{"limit", limits_.per_hour},
            {"spacingMs", in_milliseconds(limits_.spacing)},
            {"identities", logs_.size()},
            {"worstHour", worst_hour_},
            {"closestSpacingMs", in_fractions(closest_)},
            {"violations", violations()},
            {"overHour", over_hour_},
            {"tooClose", too_close_},
            {"offenders", std::move(offenders)},
            {"byIdentity", std::move(by_identity)}};
}

}  // namespace marketsim
