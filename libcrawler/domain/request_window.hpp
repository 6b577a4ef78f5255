// How many requests one identity may make, kept exact where it counts: at the server, which sees a request at any moment
// between its reservation and its answer. Every identity of the pool has one, HostCeiling two.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <variant>
#include <vector>

#include "domain/result.hpp"
#include "domain/time.hpp"

namespace crawler {

struct WindowLimits {
    int limit = 80;                              // arrivals at the server in any span, ...
    Duration span = std::chrono::hours{1};       // ... which is half open: two arrivals exactly a span apart are in two
    Duration spacing = std::chrono::seconds{1};  // between two arrivals; with 0 several may be under way at once
    Duration guard = std::chrono::seconds{10};   // for what the stamps cannot know: a late packet, two clocks in drift

    Result<> check() const;  // invalid: names the value and the rule
};

struct Granted {
    std::uint64_t reservation = 0;
};
struct FreeAt {
    TimePoint time;  // reserving at that very time succeeds, if nothing else happens until then
};

// A sliding log. One clock for all calls (never the caller's own); a request that was reserved is spent, whatever became of it.
class RequestWindow {
  public:
    struct Stamp {
        std::uint64_t reservation = 0;
        TimePoint reserved;
        std::optional<TimePoint> answered;
        TimePoint lease_end;  // nothing is sent after it

        friend bool operator==(const Stamp&, const Stamp&) = default;
    };

    static Result<RequestWindow> create(WindowLimits limits) { return restore(limits, {}); }
    // From a ledger, in any order; there may be more of them than the limit, which may have been higher.
    // invalid: the limits, a reservation that is there twice, or one that was answered or over before it was made.
    static Result<RequestWindow> restore(WindowLimits limits, std::vector<Stamp> stamps);

    // unavailable: the clock has stepped back; nothing is granted until it has caught up. invalid: a lease of nothing.
    Result<std::variant<Granted, FreeAt>> reserve(TimePoint now, Duration lease);
    // An answer came, so the server has seen the request. Not to be called where none came (a timeout): the request may still
    // be on its way, and its lease says for how long. conflict: not in the log, or answered already.
    Result<> answered(std::uint64_t reservation, TimePoint now);
    // Takes note of the time. unavailable: as for reserve.
    Result<> see(TimePoint now);

    int used(TimePoint now) const;
    int left(TimePoint now) const { return limits_.limit - used(now); }
    TimePoint free_at(TimePoint now) const;  // now, if it is free

    std::vector<Stamp> stamps() const;  // oldest reservation first

  private:
    explicit RequestWindow(WindowLimits limits) : limits_(limits) {}
    TimePoint latest(const Stamp& stamp) const;
    Duration memory() const;
    void forget(TimePoint now);

    using Key = std::pair<TimePoint, std::uint64_t>;
    WindowLimits limits_;
    std::map<std::uint64_t, Stamp> log_;  // at most `limit`
    std::set<Key> by_latest_;             // the same, by the last moment at which the server can have seen it
    TimePoint not_before_ = TimePoint::min();
    TimePoint seen_ = TimePoint::min();
    std::uint64_t last_reservation_ = 0;
};

}  // namespace crawler
