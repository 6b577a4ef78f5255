// Slots that were reserved before work is taken, waiting for a message to be spent on. Used by the worker.
#pragma once
#include <deque>
#include <optional>

#include "ports/clock.hpp"
#include "ports/identity_pool.hpp"

namespace crawler::application {

class SlotShelf {
  public:
    // A slot is not handed out in the last `margin` before its lease is over, so that the request is sent in time.
    SlotShelf(ports::IdentityPool& identities, const ports::Clock& clock, Duration margin)
        : identities_(identities), clock_(clock), margin_(margin) {}

    struct Stock {
        int slots = 0;
        std::optional<TimePoint> next_at;  // where there is none: when to ask again
    };
    // Reserves until `wanted` slots lie here or the pool has none left for now.
    Async<Result<Stock>> fill(int wanted);

    // Empty: none is left that is still valid.
    std::optional<ports::Slot> take();
    // One that lies here or, where none does, one that the pool has now: a task that needs several must not leave others without.
    Async<Result<std::variant<ports::Slot, ports::NextSlotAt>>> take_or_reserve();
    // A slot that was not used after all, because the message was a duplicate.
    void put_back(ports::Slot slot) { slots_.push_front(std::move(slot)); }

  private:
    void drop_expired();

    ports::IdentityPool& identities_;
    const ports::Clock& clock_;
    Duration margin_;
    std::deque<ports::Slot> slots_;
};

}  // namespace crawler::application
