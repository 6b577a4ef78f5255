// What a request's result says about the identity that sent it.
#pragma once
#include "domain/result.hpp"
#include "ports/identity_pool.hpp"

namespace crawler::application {

template <class T>
ports::SlotOutcome slot_outcome(const Result<T>& answer) {
    if (answer) return ports::SlotOutcome::succeeded;
    switch (answer.error().code) {
        case Errc::not_found:
            return ports::SlotOutcome::succeeded;  // a good answer: there is no such item
        case Errc::rate_limited:
            return ports::SlotOutcome::throttled;
        case Errc::blocked:
            return ports::SlotOutcome::refused;
        case Errc::unavailable:
            return ports::SlotOutcome::server_error;
        case Errc::timeout:
            return ports::SlotOutcome::unanswered;
        case Errc::conflict:
        case Errc::invalid:
            break;
    }
    return ports::SlotOutcome::failed;
}

}  // namespace crawler::application
