#include "domain/firing.hpp"

#include <algorithm>
#include <charconv>

namespace crawler {
namespace {

constexpr int longest_count = 99'999;  // of any unit; far from where microseconds overflow

bool take_prefix(std::string_view& text, std::string_view beginning) {
    if (!text.starts_with(beginning)) return false;
    text.remove_prefix(beginning.size());
    return true;
}

// Reads the unit off the text.
std::optional<Duration> take_unit(std::string_view& text) {
    if (take_prefix(text, " minute")) return std::chrono::minutes{1};
    if (take_prefix(text, " hour")) return std::chrono::hours{1};
    if (take_prefix(text, " day")) return std::chrono::days{1};
    return std::nullopt;
}

}  // namespace

Result<Duration> rate_interval(std::string_view expression) {
    const Error refused{Errc::invalid, "'" + std::string(expression) + "' is not a rate, such as rate(3 days)"};
    auto text = expression;
    if (!take_prefix(text, "rate(")) return refused;
    int count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc{} || count < 1 || count > longest_count) return refused;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const auto unit = take_unit(text);
    if (!unit || text != (count == 1 ? ")" : "s)")) return refused;
    return count * *unit;
}

Result<PlannedRule> plan(const std::optional<PlannedRule>& before, ScheduleRule rule, TimePoint now) {
    if (!is_rule_name(rule.name)) return Error{Errc::invalid, "'" + rule.name + "' is no name for a rule"};
    const auto interval = rate_interval(rule.expression);
    if (!interval) return Error{Errc::invalid, "rule " + rule.name + ": " + interval.error().detail};
    const bool keeps_its_rate = before && before->rule.expression == rule.expression;
    const bool was_missed = before && !before->rule.enabled && before->next_fire_at <= now;
    const auto next = keeps_its_rate && !was_missed ? before->next_fire_at : now + *interval;
    return PlannedRule{std::move(rule), next};
}

Firings firings_due(TimePoint next_fire_at, Duration interval, TimePoint now, const CatchUpPolicy& policy) {
    const auto missed = (now - next_fire_at) / interval;  // before the latest
    const auto latest = next_fire_at + missed * interval;
    Firings firings{.times = {}, .next = latest + interval};
    switch (policy.missed) {
        case CatchUp::once:
            firings.times = {latest};
            break;
        case CatchUp::skip:
            if (now - latest <= policy.tolerance) firings.times = {latest};
            break;
        case CatchUp::every:
            for (auto back = std::min<std::int64_t>(missed, policy.most - 1); back >= 0; --back)
                firings.times.push_back(latest - back * interval);
            break;
    }
    return firings;
}

}  // namespace crawler
