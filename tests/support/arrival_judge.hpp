// Counts requests where the marketplace counts them: by the time at which they arrived. It knows times and nothing else, so that it
// cannot be wrong together with the limiter that it judges.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

namespace crawler::test {

struct RateRule {
    int limit = 80;  // arrivals in any span, which is half open: two arrivals exactly a span apart are in two
    std::chrono::microseconds span = std::chrono::hours{1};
    std::chrono::microseconds spacing = std::chrono::seconds{1};
};

struct RateFinding {
    std::int64_t arrivals = 0;
    int most_in_a_span = 0;
    std::int64_t spans_above = 0;  // of those that begin with an arrival
    std::chrono::microseconds closest = std::chrono::microseconds::max();
    std::int64_t too_close = 0;

    bool keeps() const { return spans_above == 0 && too_close == 0; }
    // What was found of several, as one.
    void add(const RateFinding& other) {
        arrivals += other.arrivals;
        most_in_a_span = std::max(most_in_a_span, other.most_in_a_span);
        spans_above += other.spans_above;
        closest = std::min(closest, other.closest);
        too_close += other.too_close;
    }
};

using Arrivals = std::vector<std::chrono::sys_time<std::chrono::microseconds>>;

// Of one identity's, in any order.
inline RateFinding judge(Arrivals arrivals, const RateRule& rule = {}) {
    std::ranges::sort(arrivals);
    RateFinding finding{.arrivals = std::ssize(arrivals)};
    auto past = arrivals.begin();
    for (auto first = arrivals.begin(); first != arrivals.end(); ++first) {
        while (past != arrivals.end() && *past < *first + rule.span) ++past;
        const auto in_span = static_cast<int>(past - first);
        finding.most_in_a_span = std::max(finding.most_in_a_span, in_span);
        finding.spans_above += in_span > rule.limit ? 1 : 0;
        if (first == arrivals.begin()) continue;
        const auto gap = *first - *(first - 1);
        finding.closest = std::min(finding.closest, gap);
        finding.too_close += gap < rule.spacing ? 1 : 0;
    }
    return finding;
}

}  // namespace crawler::test
