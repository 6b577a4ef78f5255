// The world in which the identity pool is proven: how large the fleet is, and what goes wrong in it.
#pragma once
#include <string>
#include <vector>

#include "domain/host_ceiling.hpp"
#include "ports/clock.hpp"
#include "support/t0.hpp"

namespace crawler::proof {

// What goes wrong, each by its name on the command line.
struct Faults {
    bool crashes = false;  // workers die between the reservation and sending, or before the answer
    bool jitter =
        false;  // slots are used at the last moment, packets are late by up to the guard band, answers do not come
    bool outcomes = false;     // throttled, refused, failed
    bool restarts = false;     // whole processes die and come anew, with all that they had under way
    bool clock_back = false;   // the pool's clock steps back
    bool clock_ahead = false;  // it jumps ahead, by up to the guard band
    bool server = false;       // Redis dies, and comes back empty or without the last ten seconds
    bool idle = false;         // nobody asks for hours; then all do

    // Where nothing of this is at work, the whole budget can be used.
    bool withhold_budget() const { return outcomes || clock_back || idle; }
};
const std::vector<std::pair<std::string, bool Faults::*>>& fault_names();

struct World {
    int identities = 50;
    int processes = 4;
    WindowLimits limits = {};  // what the pool is told; the judge has rules of its own
    CeilingLimits ceiling = {};
    Duration lease = std::chrono::minutes{1};
    bool callers_clock = false;  // each process asks the pool by a clock of its own
    Faults faults;
};

// How long a packet may be under way that nobody waits for any more: what the guard band is for, whatever the pool was told of it.
constexpr Duration late_packet = WindowLimits{}.guard;

// The clock of the pool, which may step while the truth goes on.
class PoolClock final : public ports::Clock {
  public:
    PoolClock(int processes, bool is_callers) : skews_(static_cast<std::size_t>(processes)), is_callers_(is_callers) {}

    TimePoint now() const override { return truth_ + step_ + (is_callers_ ? skews_[caller_] : Duration{0}); }
    TimePoint truth() const { return truth_; }

    void pass_to(TimePoint truth) { truth_ = truth; }
    void step(Duration by) { step_ += by; }
    // Who looks at it from now on.
    void ask_as(int process) { caller_ = static_cast<std::size_t>(process); }
    void skew(int process, Duration by) { skews_[static_cast<std::size_t>(process)] = by; }

  private:
    TimePoint truth_ = test::t0;
    Duration step_{0};
    std::vector<Duration> skews_;
    std::size_t caller_ = 0;
    bool is_callers_;
};

}  // namespace crawler::proof
