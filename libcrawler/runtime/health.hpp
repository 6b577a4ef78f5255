// Whether this daemon lives and may be given work, for the probes that ask. Loops beat; the daemon says when it is
// ready and when it stops. Everything here belongs to the I/O thread.
#pragma once
#include <functional>
#include <list>
#include <string>
#include <vector>

#include "ports/clock.hpp"
#include "ports/http_server.hpp"

namespace crawler::runtime {

// One loop's sign of life.
class Pulse {
  public:
    Pulse(const ports::Clock& clock, std::string name, Duration longest_silence);

    void beat() { last_beat_ = clock_.now(); }

    const std::string& name() const { return name_; }
    TimePoint last_beat() const { return last_beat_; }
    // Since the last beat; none where the clock was set back.
    Duration silence() const;
    bool is_alive() const { return silence() <= longest_silence_; }

  private:
    const ports::Clock& clock_;
    std::string name_;
    Duration longest_silence_;
    TimePoint last_beat_;
};

class Health {
  public:
    enum class Phase { starting, ready, stopping };

    explicit Health(const ports::Clock& clock) : clock_(clock) {}

    // A loop under this name, unique in the daemon, that must beat at least once in `longest_silence`, counted from
    // now.
    Pulse& add(std::string name, Duration longest_silence);
    void ready();
    // For good: what stops does not become ready again.
    void stopping() { phase_ = Phase::stopping; }

    Phase phase() const { return phase_; }
    const std::list<Pulse>& pulses() const { return pulses_; }
    std::vector<std::string> silent() const;
    TimePoint now() const { return clock_.now(); }

  private:
    const ports::Clock& clock_;
    Phase phase_ = Phase::starting;
    std::list<Pulse> pulses_;  // a list, because loops hold references
};

// Answers /healthz, /readyz, /actuator/health and /metrics; `metrics` gives the Prometheus text. Any other path goes to
// `otherwise`, or is not found. `health` must outlive the handler.
ports::HttpHandler health_routes(Health& health, std::function<std::string()> metrics,
                                 ports::HttpHandler otherwise = {});

}  // namespace crawler::runtime
