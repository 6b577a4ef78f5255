// Who may ask the marketplace next. The request budget is the scarce thing: a slot is reserved before work is taken,
// and a reserved slot is spent whatever becomes of it.
#pragma once
#include <string>
#include <variant>

#include "coro/async.hpp"
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

enum class SlotOutcome { succeeded, throttled, server_error, refused, failed };
constexpr auto names(SlotOutcome) {
    return std::to_array<EnumName<SlotOutcome>>({{SlotOutcome::succeeded, "SUCCEEDED"},
                                                 {SlotOutcome::throttled, "THROTTLED"},
                                                 {SlotOutcome::server_error, "SERVER_ERROR"},
                                                 {SlotOutcome::refused, "REFUSED"},
                                                 {SlotOutcome::failed, "FAILED"}});
}

class IdentityPool {
  public:
    virtual ~IdentityPool() = default;

    // A slot, or when to ask again.
    virtual Async<Result<std::variant<Slot, NextSlotAt>>> reserve() = 0;
    // What became of the request. conflict: the reservation was answered already, its lease is over or it never was.
    virtual Async<Result<>> report(Slot slot, SlotOutcome outcome) = 0;
};

}  // namespace crawler::ports
