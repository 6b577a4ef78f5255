// What to do about a request that went wrong, by the class of its error and by what the attempt has tried already. For
// whoever makes the requests.
#pragma once
#include <string_view>

#include "domain/error_class.hpp"
#include "domain/retry_policy.hpp"
#include "domain/task_type.hpp"

namespace crawler {

enum class NextStep {
    wait_for_capacity,  // postpone the task: it comes back when there is a slot, and no retry is burned
    another_identity,   // the same request at once, by another identity
    try_again,          // the same request after a wait, within this attempt
    renew_token,        // the same request with a new token of the same identity
    complete_as_gone,   // the answer is: there is no such item
    retry_task,         // this attempt has failed; the task burns a retry, or has FAILED when none is left
    give_up,            // the task has FAILED: it can never succeed
};
constexpr auto names(NextStep) {
    return std::to_array<EnumName<NextStep>>({{NextStep::wait_for_capacity, "WAIT_FOR_CAPACITY"},
                                              {NextStep::another_identity, "ANOTHER_IDENTITY"},
                                              {NextStep::try_again, "TRY_AGAIN"},
                                              {NextStep::renew_token, "RENEW_TOKEN"},
                                              {NextStep::complete_as_gone, "COMPLETE_AS_GONE"},
                                              {NextStep::retry_task, "RETRY_TASK"},
                                              {NextStep::give_up, "GIVE_UP"}});
}

struct AttemptSoFar {
    int tries = 1;                  // requests of this attempt that ended as transient, the last one included
    bool token_renewed = false;     // a token was renewed for this attempt
    bool another_identity = false;  // the pool has one that could ask at once
};

// Tries within one attempt: the first, and after a short wait each as many as there are retries.
inline constexpr RetryPolicy tries_within_attempt{
    .max_retries = 2, .first_wait = std::chrono::milliseconds{500}, .longest_wait = std::chrono::seconds{5}};

struct Remedy {
    NextStep step{};
    Duration wait{};  // before it is tried again

    friend bool operator==(const Remedy&, const Remedy&) = default;
};

// `key` spreads the waits, as in RetryPolicy.
Remedy remedy_for(ErrorClass why, TaskType type, const AttemptSoFar& attempt, const RetryPolicy& tries,
                  std::string_view key);

}  // namespace crawler
