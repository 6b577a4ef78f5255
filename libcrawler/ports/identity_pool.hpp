// Who may ask the marketplace next. The request budget is the scarce thing: a slot is reserved before work is taken,
// and a reserved slot is spent whatever becomes of it.
#pragma once
#include <optional>
#include <string>
#include <variant>

#include "coro/async.hpp"
#include "domain/breaker.hpp"
#include "domain/health_policy.hpp"
#include "domain/ids.hpp"
#include "domain/pool_status.hpp"
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

// The pool at a glance.
struct PoolView {
    PoolStatus identities;
    BreakerStatus breaker = BreakerStatus::closed;
    std::int64_t left_this_hour = 0;  // of the ceiling that all identities share
    // How many requests could be made from now until `horizon` later (an hour at most), were nothing else to happen: what is left
    // and what comes back until then. Of a breaker that is not CLOSED one, the probe, or none where it stays OPEN for longer.
    std::int64_t servable = 0;
};
// What bounds it, and the least of that.
struct Servable {
    std::int64_t available = 0;   // identities
    std::int64_t in_windows = 0;  // of theirs, by the end of the horizon
    std::int64_t in_ceiling = 0;  // of the hour, likewise
    int per_second = 0;
    Duration spacing{};
    TimePoint breaker_free_at;
};
std::int64_t servable(const Servable& most, BreakerStatus breaker, TimePoint now, Duration horizon);

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

    // A slot of an identity that needs a session, to be spent on opening one; it counts like any other request. Those without a
    // token come first, then those whose token will soon be too old, spread out. NextSlotAt: nobody needs one now, or nobody who
    // does may ask; ask again then.
    virtual Async<Result<std::variant<Slot, NextSlotAt>>> reserve_for_session() = 0;
    // What became of it: the new token, or why there is none. conflict: as for report.
    virtual Async<Result<>> report_session(Slot slot, Result<Secret> session) = 0;

    virtual Async<Result<PoolView>> look(Duration horizon) = 0;
};

}  // namespace crawler::ports
