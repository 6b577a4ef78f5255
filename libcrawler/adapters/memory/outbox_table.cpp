#include "adapters/memory/outbox_table.hpp"

#include <algorithm>
#include <cassert>

namespace crawler::adapters {
namespace {

// When it may be claimed: when it is due, or at the end of its lease.
TimePoint ready_at(const OutboxEntry& entry) {
    return entry.state().lease_until.value_or(entry.state().due_at);
}

bool is_unsent(const OutboxEntry& entry) {
    return entry.state().status != OutboxStatus::sent && entry.state().status != OutboxStatus::dead;
}

}  // namespace

void OutboxTable::store(OutboxEntry entry, std::optional<TimePoint> sent_at) {
    const auto id = entry.state().id;
    auto& unsent = unsent_[entry.state().subject];
    if (!unsent.empty()) leave_line(oldest_of(unsent));

    if (is_unsent(entry)) {
        unsent.insert(id);
    } else {
        unsent.erase(id);
    }
    if (entry.state().status == OutboxStatus::sent) sent_.emplace(sent_at.value_or(entry.state().created_at), id);
    const auto stored = entries_.insert_or_assign(id, std::move(entry)).first;

    if (unsent.empty()) {
        unsent_.erase(stored->second.state().subject);
    } else {
        stand_in_line(oldest_of(unsent));
    }
}

std::vector<OutboxEntry> OutboxTable::claim(int limit, TimePoint now, Duration lease) {
    assert(lease.count() > 0);  // a claim that is over at once would be handed out again and again
    std::vector<OutboxEntry> claimed;
    while (std::ssize(claimed) < limit) {
        const auto next = turns_.next(now);
        if (!next) break;
        auto entry = entries_.at(*next);
        [[maybe_unused]] const auto done = entry.claim(now, lease);
        assert(done);
        put(entry);
        claimed.push_back(std::move(entry));
    }
    return claimed;
}

void OutboxTable::leave_line(const OutboxEntry& entry) {
    turns_.erase(entry.state().lane, ready_at(entry), entry.state().id);
}

void OutboxTable::stand_in_line(const OutboxEntry& entry) {
    turns_.insert(entry.state().lane, ready_at(entry), entry.state().id);
}

bool OutboxTable::settle(const OutboxEntry& entry, TimePoint now) {
    const auto stored = entries_.find(entry.state().id);
    if (stored == entries_.end() || stored->second.state().status != OutboxStatus::processing ||
        stored->second.state().attempt != entry.state().attempt)
        return false;
    store(entry, now);
    return true;
}

std::size_t OutboxTable::purge_sent(TimePoint before, std::size_t limit) {
    std::size_t gone = 0;
    for (; gone < limit && !sent_.empty() && sent_.begin()->first < before; ++gone) {
        entries_.erase(sent_.begin()->second);
        sent_.erase(sent_.begin());
    }
    return gone;
}

const OutboxEntry* OutboxTable::find(const OutboxId& id) const {
    const auto stored = entries_.find(id);
    return stored == entries_.end() ? nullptr : &stored->second;
}

const OutboxEntry* OutboxTable::youngest_unsent(const std::string& subject) const {
    const auto unsent = unsent_.find(subject);
    return unsent == unsent_.end() ? nullptr : find(*unsent->second.rbegin());
}

bool OutboxTable::has_younger(const OutboxEntry& entry) const {
    return std::any_of(entries_.upper_bound(entry.state().id), entries_.end(),
                       [&](const auto& row) { return row.second.state().subject == entry.state().subject; });
}

void OutboxTable::erase(const OutboxId& id) {
    const auto stored = entries_.find(id);
    if (stored == entries_.end()) return;
    const auto unsent = unsent_.find(stored->second.state().subject);
    if (unsent != unsent_.end()) {
        auto& ids = unsent->second;
        leave_line(oldest_of(ids));
        ids.erase(id);
        if (ids.empty()) {
            unsent_.erase(unsent);
        } else {
            stand_in_line(oldest_of(ids));
        }
    }
    entries_.erase(stored);
}

}  // namespace crawler::adapters
