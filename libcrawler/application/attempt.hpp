// One attempt at a request to the marketplace: asks, tells the pool what became of the slot and, where it went wrong, does what
// domain/remedy.hpp says, each time with a slot of its own. Used by ExecuteTask and TriggerCrawl.
#pragma once
#include <functional>

#include "application/slot_outcome.hpp"
#include "application/slot_shelf.hpp"
#include "domain/remedy.hpp"
#include "ports/pause.hpp"
#include "ports/telemetry.hpp"

namespace crawler::application {

struct AttemptSettings {
    RetryPolicy tries = tries_within_attempt;
    Duration longest_request = std::chrono::seconds{30};  // none is begun later than so long before the lease is over
};

class Attempt {
  public:
    struct Ports {
        ports::IdentityPool& identities;
        const ports::Clock& clock;
        ports::Pause& pause;
        ports::Telemetry& telemetry;
    };
    struct Question {
        TaskType type{};
        std::string key;  // spreads the waits between tries
        TimePoint until;  // the lease of the work that asks
    };
    template <class T>
    using Ask = std::function<Async<Result<T>>(ports::Slot)>;
    template <class T>
    struct Answer {
        Result<T> what;
        TimePoint at;     // when it came, whatever took time afterwards: the later answer is the one that holds
        NextStep step{};  // of an error: complete_as_gone, retry_task or give_up
    };

    Attempt(Ports ports, SlotShelf& slots, AttemptSettings settings) : p_(ports), slots_(slots), settings_(settings) {}

    // One from the shelf, or from the pool. None: the pool has none now, or does not answer; the admission of work finds out which, and
    // tells.
    Async<std::optional<ports::Slot>> find_slot();

    template <class T>
    Async<Answer<T>> make(Ask<T> ask, Question question, ports::Slot slot) {
        const std::string endpoint(to_string(question.type));
        AttemptSoFar so_far{.tries = 0};
        for (;;) {
            auto answer = co_await ask(slot);
            const auto at = p_.clock.now();
            const auto asked_to_wait = answer ? std::nullopt : answer.error().retry_after;
            ports::SlotReport report(slot_outcome(answer), endpoint, asked_to_wait);
            const auto reported = co_await p_.identities.report(std::move(slot), std::move(report));
            // The pool's leases mend a missing report; a good answer is not thrown away for it.
            if (!reported) p_.telemetry.emit(ports::SlotUnreported{reported.error()});
            if (answer) co_return Answer<T>{std::move(answer), at};

            auto next = co_await mend(answer.error(), question, so_far);
            if (!next.slot) co_return Answer<T>{std::move(answer), at, next.step};
            so_far = next.so_far;
            slot = std::move(*next.slot);
        }
    }

  private:
    struct Next {
        NextStep step{};
        AttemptSoFar so_far{};
        std::optional<ports::Slot> slot = std::nullopt;  // to ask again with; none: the attempt is over
    };
    Async<Next> mend(Error why, Question question, AttemptSoFar so_far);

    Ports p_;
    SlotShelf& slots_;
    AttemptSettings settings_;
};

}  // namespace crawler::application
