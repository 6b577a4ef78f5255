#include "application/attempt.hpp"

#include <algorithm>

namespace crawler::application {

Async<Attempt::Next> Attempt::mend(Error why, Question question, AttemptSoFar so_far) {
    const auto kind = class_of(why.code);
    std::optional<ports::Slot> slot;
    if (kind == ErrorClass::throttled) slot = co_await find_slot();
    if (kind == ErrorClass::transient) ++so_far.tries;
    so_far.another_identity = slot.has_value();
    const auto remedy = remedy_for(kind, question.type, so_far, settings_.tries, question.key);
    const bool asks_again = remedy.step == NextStep::another_identity || remedy.step == NextStep::try_again ||
                            remedy.step == NextStep::renew_token;
    if (!asks_again) co_return Next{.step = remedy.step};

    // Whoever answered late must not find that the work was given to another meanwhile.
    const bool waits = remedy.step == NextStep::try_again;
    const auto wait = waits ? std::max(remedy.wait, why.retry_after.value_or(Duration{0})) : Duration{0};
    if (wait > question.until - p_.clock.now() - settings_.longest_request) {
        if (slot) slots_.put_back(std::move(*slot));
        co_return Next{.step = NextStep::retry_task};
    }
    if (waits) co_await p_.pause.pass(wait);
    // The pool has dropped the token that was refused, and gets a new one for that identity in its own time.
    if (remedy.step == NextStep::renew_token) so_far.token_renewed = true;
    if (!slot) slot = co_await find_slot();
    if (!slot) co_return Next{.step = NextStep::retry_task};
    co_return Next{.step = remedy.step, .so_far = so_far, .slot = std::move(slot)};
}

Async<std::optional<ports::Slot>> Attempt::find_slot() {
    auto reserved = co_await slots_.take_or_reserve();
    if (!reserved) co_return std::nullopt;
    auto* slot = std::get_if<ports::Slot>(&*reserved);
    if (!slot) co_return std::nullopt;
    co_return std::move(*slot);
}

}  // namespace crawler::application
