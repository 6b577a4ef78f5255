#include "adapters/memory/outbox_table.hpp"

#include <cassert>

namespace crawler::adapters {
namespace {

std::pair<TimePoint, OutboxId> turn_of(const OutboxEntry& entry) {
    const auto& state = entry.state();
    return {state.lease_until.value_or(state.due_at), state.id};
}

bool is_unsent(const OutboxEntry& entry) {
    return entry.state().status != OutboxStatus::sent && entry.state().status != OutboxStatus::dead;
}

}  // namespace

void OutboxTable::put(OutboxEntry entry) {
    const auto id = entry.state().id;
    auto& unsent = unsent_[entry.state().subject];
    if (!unsent.empty()) turns_.erase(turn_of(oldest_of(unsent)));

    if (is_unsent(entry)) {
        unsent.insert(id);
    } else {
        unsent.erase(id);
    }
    const auto stored = entries_.insert_or_assign(id, std::move(entry)).first;

    if (unsent.empty()) {
        unsent_.erase(stored->second.state().subject);
    } else {
        turns_.insert(turn_of(oldest_of(unsent)));
    }
}

std::vector<OutboxEntry> OutboxTable::claim(int limit, TimePoint now, Duration lease) {
    assert(lease.count() > 0);  // a claim that is over at once would be handed out again and again
    std::vector<OutboxEntry> claimed;
    while (std::ssize(claimed) < limit && !turns_.empty() && turns_.begin()->first <= now) {
        auto entry = entries_.at(turns_.begin()->second);
        [[maybe_unused]] const auto done = entry.claim(now, lease);
        assert(done);
        put(entry);
        claimed.push_back(std::move(entry));
    }
    return claimed;
}

bool OutboxTable::settle(const OutboxEntry& entry) {
    const auto stored = entries_.find(entry.state().id);
    if (stored == entries_.end() || stored->second.state().status != OutboxStatus::processing ||
        stored->second.state().attempt != entry.state().attempt)
        return false;
    put(entry);
    return true;
}

}  // namespace crawler::adapters
