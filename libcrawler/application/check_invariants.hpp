// Holds what is stored against the rules that must always be true, and tells how many rows break each. Used by the outbox-relay.
#pragma once
#include "ports/clock.hpp"
#include "ports/invariants.hpp"
#include "ports/telemetry.hpp"

namespace crawler::application {

class CheckInvariants {
  public:
    struct Ports {
        ports::Invariants& invariants;
        const ports::Clock& clock;
        ports::Telemetry& telemetry;
    };
    struct Settings {
        int most = 100;  // rows of each rule that are looked for: that there are so many, or more
        ports::Patience patience;
    };
    CheckInvariants(Ports ports, Settings settings) : p_(ports), settings_(settings) {}

    // Always 0: there is nothing to be done at once, the next look is an interval away.
    Async<Result<std::size_t>> run_once();

  private:
    Ports p_;
    Settings settings_;
};

}  // namespace crawler::application
