// Proves from the ledger that the rate limit was kept at the server, or finds where it was not. A request arrived somewhere between
// its reservation and its answer; without an answer, until its lease and the guard band were over, or never. So there are two
// figures: what is certain, whenever the requests arrived, and the worst that is possible. The limit is proven where even the worst
// keeps it. Used by `crawlerctl audit rate`, and by the outbox-relay for the
// metrics.
#pragma once
#include <vector>

#include "domain/request_window.hpp"
#include "ports/clock.hpp"
#include "ports/request_ledger.hpp"
#include "ports/telemetry.hpp"

namespace crawler::application {

enum class RateVerdict {
    kept,      // whenever the requests arrived
    unproven,  // the worst that is possible is over the limit, what is certain is not
    broken,    // whenever the requests arrived
};
constexpr auto names(RateVerdict) {
    return std::to_array<EnumName<RateVerdict>>(
        {{RateVerdict::kept, "KEPT"}, {RateVerdict::unproven, "UNPROVEN"}, {RateVerdict::broken, "BROKEN"}});
}

struct IdentityRate {
    UserAgentId identity;
    std::size_t requests = 0;
    std::size_t unanswered = 0;
    int most_certain = 0;                      // arrivals in any span: surely so many ...
    int most_possible = 0;                     // ... and never more than so many
    TimePoint worst_at;                        // where the span of the worst begins
    std::optional<Duration> closest_possible;  // two arrivals may have been so close; empty: there are no two
    std::optional<Duration> closest_certain;   // two arrivals were at most so far apart
    RateVerdict verdict{};
};

// Of one identity's entries, in any order. `limits` names the span, the limit, the spacing and the guard band.
IdentityRate audit_rate(const UserAgentId& identity, const std::vector<ports::LedgerEntry>& entries,
                        const WindowLimits& limits);

class AuditRate {
  public:
    struct Ports {
        ports::RequestLedger& ledger;
        const ports::Clock& clock;
        ports::Telemetry& telemetry;
    };
    AuditRate(Ports ports, WindowLimits limits) : p_(ports), limits_(limits) {}

    // Over the last two spans of the limit, for whoever looks at it regularly. Always 0: nothing is left to be done at once.
    Async<Result<std::size_t>> run_once();

    // Every identity that reserved anything at `from` or later, one at a time, the worst first.
    Async<Result<std::vector<IdentityRate>>> run(TimePoint from);

  private:
    Ports p_;
    WindowLimits limits_;
};

}  // namespace crawler::application
