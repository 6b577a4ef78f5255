#include "application/audit_rate.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <iomanip>
#include <iostream>

#include "agent_commands.hpp"
#include "open_identities.hpp"

namespace crawler::ctl {
namespace {

namespace json = boost::json;
using application::IdentityRate;
using application::RateVerdict;

std::string milliseconds(const std::optional<Duration>& length) {
    if (!length) return "-";
    return std::to_string(std::chrono::floor<std::chrono::milliseconds>(*length).count()) + " ms";
}

void print_rates(const std::vector<IdentityRate>& rates) {
    std::cout << std::left << std::setw(38) << "identity" << std::setw(10) << "verdict" << std::setw(10) << "requests"
              << std::setw(12) << "unanswered" << std::setw(20) << "most in any window" << std::setw(10) << "certain"
              << std::setw(16) << "closest" << std::setw(16) << "certain"
              << "worst window from\n";
    for (const auto& rate : rates)
        std::cout << std::left << std::setw(38) << rate.identity.value << std::setw(10) << to_string(rate.verdict)
                  << std::setw(10) << rate.requests << std::setw(12) << rate.unanswered << std::setw(20)
                  << rate.most_possible << std::setw(10) << rate.most_certain << std::setw(16)
                  << milliseconds(rate.closest_possible) << std::setw(16) << milliseconds(rate.closest_certain)
                  << to_rfc3339(rate.worst_at) << "\n";
}

// What is said at the end, and what a script goes by.
void print_sum(const std::vector<IdentityRate>& rates, const WindowLimits& limits) {
    const auto count = [&](RateVerdict verdict) { return std::ranges::count(rates, verdict, &IdentityRate::verdict); };
    std::cout << "\nat most " << limits.limit << " in any window, and " << milliseconds(limits.spacing)
              << " between two: proven for " << count(RateVerdict::kept) << " of " << rates.size() << " identities, "
              << count(RateVerdict::unproven) << " unproven, " << count(RateVerdict::broken) << " broken for certain\n";
}

json::value micros(const std::optional<Duration>& length) {
    return length ? json::value(length->count()) : json::value(nullptr);
}

json::object as_json(const IdentityRate& rate) {
    return {{"identity", rate.identity.value},
            {"verdict", to_string(rate.verdict)},
            {"requests", rate.requests},
            {"unanswered", rate.unanswered},
            {"mostPossible", rate.most_possible},
            {"mostCertain", rate.most_certain},
            {"worstFrom", to_rfc3339(rate.worst_at)},
            {"closestPossibleMicros", micros(rate.closest_possible)},
            {"closestCertainMicros", micros(rate.closest_certain)}};
}

}  // namespace

int audit_rate(const std::string& url, const AuditOptions& options, Format format) {
    OpenIdentities open(url);
    application::AuditRate audit({*open.ledger, *open.clock, *open.telemetry}, options.limits);
    const auto rates = open.wait(audit.run(open.clock->now() - options.since));
    if (format == Format::json) {
        json::array list;
        for (const auto& rate : rates) list.push_back(as_json(rate));
        std::cout << list << "\n";
    } else {
        print_rates(rates);
        print_sum(rates, options.limits);
    }
    const auto is_kept = [](const IdentityRate& rate) { return rate.verdict == RateVerdict::kept; };
    return std::ranges::all_of(rates, is_kept) ? 0 : 1;
}

}  // namespace crawler::ctl
