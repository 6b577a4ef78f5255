// Who may ask the marketplace next. The request budget is the scarce thing: a slot is reserved before work is taken,
// and a reserved slot is spent whatever becomes of it.
#pragma once
#include <optional>
#include <string>
#include <variant>

#include "coro/async.hpp"
#include "domain/health_policy.hpp"
#include "domain/ids.hpp"
#include "domain/result.hpp"
#include "domain/secret.hpp"
#include "domain/time.hpp"

namespace crawler::ports {

// The right to send one request as one identity.
struct Slot {
    std::string reservation;
    UserAgentId identity;
    std::string user_agent;
    Secret token;
    TimePoint valid_until;  // the reservation's lease; nothing may be sent with it later
};

struct NextSlotAt {
    TimePoint time;
};

using SlotOutcome = RequestOutcome;

// What became of a slot.
struct SlotReport {
    SlotOutcome outcome{};
    std::string endpoint;  // what was asked: where several identities fail on one at once, none is punished
    std::optional<Duration> retry_after;  // what a 429 asked for

    // NOLINTNEXTLINE(google-explicit-constructor): an outcome alone is a report
    SlotReport(SlotOutcome result, std::string asked = {}, std::optional<Duration> wait = {})
        : outcome(result), endpoint(std::move(asked)), retry_after(wait) {}
};

class IdentityPool {
  public:
    virtual ~IdentityPool() = default;

    // A slot, or when to ask again. An identity has one request under way at a time: it is lent again after the answer and the
    // spacing, or when the lease of an unanswered one is over. unavailable: nobody is left to lend, or the clock stepped back.
    virtual Async<Result<std::variant<Slot, NextSlotAt>>> reserve() = 0;
    // What became of the request. conflict: the reservation was answered already, its lease is over or it never was; or the
    // identity was suspended or blocked meanwhile, and the outcome changes nothing any more.
    virtual Async<Result<>> report(Slot slot, SlotReport report) = 0;
};

}  // namespace crawler::ports
