#include "application/slot_shelf.hpp"

namespace crawler::application {

Async<Result<SlotShelf::Stock>> SlotShelf::fill(int wanted) {
    drop_expired();
    while (slots_.size() < static_cast<std::size_t>(wanted)) {
        auto reserved = co_await identities_.reserve();
        if (!reserved) co_return reserved.error();
        if (const auto* next = std::get_if<ports::NextSlotAt>(&*reserved)) {
            if (slots_.empty()) co_return Stock{.slots = 0, .next_at = next->time};
            break;
        }
        slots_.push_back(std::get<ports::Slot>(std::move(*reserved)));
    }
    co_return Stock{.slots = static_cast<int>(slots_.size())};
}

std::optional<ports::Slot> SlotShelf::take() {
    drop_expired();
    if (slots_.empty()) return std::nullopt;
    auto slot = std::move(slots_.front());
    slots_.pop_front();
    return slot;
}

Async<Result<std::variant<ports::Slot, ports::NextSlotAt>>> SlotShelf::take_or_reserve() {
    if (auto slot = take()) co_return std::variant<ports::Slot, ports::NextSlotAt>(std::move(*slot));
    co_return co_await identities_.reserve();
}

// An expired reservation may not be sent with: its lease has gone back to the pool.
void SlotShelf::drop_expired() {
    const auto needed = clock_.now() + margin_;
    std::erase_if(slots_, [needed](const ports::Slot& slot) { return slot.valid_until <= needed; });
}

}  // namespace crawler::application
