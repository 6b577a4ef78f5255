#include "application/renew_sessions.hpp"

namespace crawler::application {

Async<Result<std::size_t>> RenewSessions::run_once() {
    auto reserved = co_await p_.identities.reserve_for_session();
    if (!reserved) co_return reserved.error();
    if (std::holds_alternative<ports::NextSlotAt>(*reserved)) co_return std::size_t{0};
    const auto slot = std::get<ports::Slot>(std::move(*reserved));

    auto session = co_await p_.marketplace.open_session(slot);
    // What is told is never the token itself.
    auto event = session ? ports::Event(ports::SessionOpened{slot.identity, !slot.token.empty()})
                         : ports::Event(ports::SessionFailed{slot.identity, session.error()});
    const auto reported = co_await p_.identities.report_session(slot, std::move(session));
    // The pool's leases mend that: another session is opened later.
    if (!reported) p_.telemetry.emit(ports::SlotUnreported{reported.error()});
    const bool is_stored = reported || std::holds_alternative<ports::SessionFailed>(event);
    if (is_stored) p_.telemetry.emit(event);
    co_return std::size_t{1};
}

}  // namespace crawler::application
