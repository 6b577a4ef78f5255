// Every request that was reserved, for ever provable: who, when, and what was answered. The identity pool reserves through it,
// the auditor reads it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "coro/async.hpp"
#include "domain/health_policy.hpp"
#include "domain/ids.hpp"

namespace crawler::ports {

struct LedgerEntry {
    std::string reservation;  // an id of its own
    UserAgentId identity;
    TimePoint reserved;
    TimePoint lease_end;  // nothing is sent after it
    std::optional<TimePoint> answered = std::nullopt;
    std::optional<RequestOutcome> outcome = std::nullopt;

    friend bool operator==(const LedgerEntry&, const LedgerEntry&) = default;
};

// What was answered to a reservation.
struct LedgerStamp {
    std::string reservation;
    TimePoint answered;
    RequestOutcome outcome{};
};

class RequestLedger {
  public:
    virtual ~RequestLedger() = default;

    // conflict: the reservation is there already.
    virtual Async<Result<>> reserve(LedgerEntry entry) = 0;
    // The first answer holds; a second one changes nothing. not_found: there is no such reservation.
    virtual Async<Result<>> answer(LedgerStamp stamp) = 0;
    // Those of one identity, or of all, reserved at `from` or later, oldest first.
    virtual Async<Result<std::vector<LedgerEntry>>> since(TimePoint from, std::optional<UserAgentId> identity) = 0;
    // Whose they are, by id.
    virtual Async<Result<std::vector<UserAgentId>>> identities(TimePoint from) = 0;
};

}  // namespace crawler::ports
