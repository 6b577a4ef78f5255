// Stops all requests while too few identities are left, and finds out with one probe whether they may go on. One for the
// whole fleet; the pool asks it before it lends.
#pragma once
#include <cstdint>
#include <optional>
#include <variant>

#include "domain/state_table.hpp"
#include "domain/time.hpp"

namespace crawler {

enum class BreakerStatus { closed, open, half_open };
constexpr auto names(BreakerStatus) {
    return std::to_array<EnumName<BreakerStatus>>(
        {{BreakerStatus::closed, "CLOSED"}, {BreakerStatus::open, "OPEN"}, {BreakerStatus::half_open, "HALF_OPEN"}});
}

enum class BreakerVerb { trip, probe, pass, fail };
constexpr auto names(BreakerVerb) {
    return std::to_array<EnumName<BreakerVerb>>({{BreakerVerb::trip, "trip"},
                                                 {BreakerVerb::probe, "probe through"},
                                                 {BreakerVerb::pass, "report a successful probe to"},
                                                 {BreakerVerb::fail, "report a failed probe to"}});
}

// clang-format off: one transition, one line
inline constexpr StateTable breaker_table{"Breaker", BreakerStatus::closed, std::to_array<Transition<BreakerStatus, BreakerVerb>>({
    {BreakerStatus::closed, BreakerVerb::trip, BreakerStatus::open, "too few identities are available"},
    {BreakerStatus::open, BreakerVerb::probe, BreakerStatus::half_open, "its time is over"},
    {BreakerStatus::half_open, BreakerVerb::probe, BreakerStatus::half_open, "the lease of the probe before is over"},
    {BreakerStatus::half_open, BreakerVerb::pass, BreakerStatus::closed, "it is the probe of now, within its lease"},
    {BreakerStatus::half_open, BreakerVerb::fail, BreakerStatus::open, "it is the probe of now, within its lease"},
})};
// clang-format on

struct BreakerPolicy {
    int least_available_percent = 20;  // below it the breaker trips
    Duration open_for = std::chrono::minutes{10};

    Result<> check() const;  // invalid: names the value and the rule
};

class Breaker {
  public:
    struct State {
        BreakerStatus status = BreakerStatus::closed;
        std::optional<TimePoint> open_until;   // while OPEN
        std::uint64_t probe = 0;               // counts probes; fences off one that was given up
        std::optional<TimePoint> probe_until;  // while HALF_OPEN: the probe's lease
        std::int64_t revision = 0;             // counts saves; a store saves only what nobody else saved since

        friend bool operator==(const State&, const State&) = default;
    };
    struct Permit {
        std::optional<std::uint64_t> probe;  // where there is one, its result must be reported
    };
    struct RefusedUntil {
        TimePoint time;  // asking at that very time succeeds, if nothing else happens until then
    };

    Breaker() = default;
    static Breaker restore(State state) { return Breaker(state); }

    // How many identities can be lent. Trips a CLOSED breaker; an OPEN or HALF_OPEN one waits for its probe, whatever the share.
    // True: it tripped now.
    bool observe(std::int64_t available, std::int64_t total, const BreakerPolicy& policy, TimePoint now);
    // May a request be made? `lease`: how long a probe may take.
    std::variant<Permit, RefusedUntil> ask(TimePoint now, Duration lease);
    TimePoint free_at(TimePoint now) const;  // now, if asking would succeed
    // The probe's result: -> CLOSED, or OPEN for the whole time again. conflict: it was given up, or there is none.
    Result<> probe_succeeded(std::uint64_t probe, TimePoint now);
    Result<> probe_failed(std::uint64_t probe, const BreakerPolicy& policy, TimePoint now);

    const State& state() const { return state_; }

  private:
    explicit Breaker(State state) : state_(state) {}
    Result<> end_probe(std::uint64_t probe, BreakerVerb verb, BreakerStatus to, TimePoint now);
    State state_;
};

}  // namespace crawler
