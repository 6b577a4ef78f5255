// What a request's result says about the identity that sent it.
#pragma once
#include "domain/result.hpp"
#include "ports/identity_pool.hpp"

namespace crawler::application {

template <class T>
ports::SlotOutcome slot_outcome(const Result<T>& answer) {
    return answer ? ports::SlotOutcome::succeeded : outcome_of(answer.error().code);
}

}  // namespace crawler::application
