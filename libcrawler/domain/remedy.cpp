#include "domain/remedy.hpp"

namespace crawler {

Remedy remedy_for(ErrorClass why, TaskType type, const AttemptSoFar& attempt, const RetryPolicy& tries,
                  std::string_view key) {
    switch (why) {
        case ErrorClass::no_capacity:
            return {NextStep::wait_for_capacity};
        case ErrorClass::throttled:
            return {attempt.another_identity ? NextStep::another_identity : NextStep::retry_task};
        case ErrorClass::transient:
            if (const auto wait = tries.next_wait(attempt.tries - 1, key)) return {NextStep::try_again, *wait};
            return {NextStep::retry_task};
        case ErrorClass::auth:
            return {attempt.token_renewed ? NextStep::retry_task : NextStep::renew_token};
        case ErrorClass::gone:
            return {asks_about_item(type) ? NextStep::complete_as_gone : NextStep::give_up};
        case ErrorClass::permanent:
            break;
    }
    return {NextStep::give_up};
}

}  // namespace crawler
