// Counts the requests of every identity by the time at which they arrived, refused ones included, and knows whether the limits were
// ever passed. Kept apart from everything the crawler does to stay below them.
#pragma once
#include <boost/json/object.hpp>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>

#include "sim_time.hpp"

namespace marketsim {

struct RateLimits {
    int per_hour = 80;  // 0: no limit, no spacing either, and nothing is counted
    SimTime hour = std::chrono::hours{1};
    SimTime spacing = std::chrono::seconds{1};
};

class RateJudge {
  public:
    explicit RateJudge(RateLimits limits) : limits_(limits) {}

    // Nothing where the request may be answered; else how long its identity must be silent before one may be.
    std::optional<SimTime> arrive(const std::string& identity, SimTime now);

    std::int64_t worst_hour() const { return worst_hour_; }
    // Requests; one that is both too close and one too many is one.
    std::int64_t violations() const { return violations_; }
    std::size_t identities() const { return logs_.size(); }
    // With the identities that came closest to a limit, or went over it, in full: so many at most.
    boost::json::object report(std::size_t most_identities) const;

  private:
    struct Log {
        std::deque<SimTime> arrivals;  // of the last hour
        std::optional<SimTime> last;
        std::optional<SimTime> closest;
        std::int64_t worst_hour = 0;
        std::int64_t violations = 0;
    };

    RateLimits limits_;
    std::unordered_map<std::string, Log> logs_;
    std::int64_t worst_hour_ = 0;
    std::int64_t violations_ = 0;
    std::int64_t over_hour_ = 0;
    std::int64_t too_close_ = 0;
    std::optional<SimTime> closest_;
};

}  // namespace marketsim
