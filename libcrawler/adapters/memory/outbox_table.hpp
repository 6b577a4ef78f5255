// One outbox in memory: its entries by id and, of each subject, the one whose turn it is.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "adapters/memory/lane_turns.hpp"
#include "domain/outbox.hpp"

namespace crawler::adapters {

class OutboxTable {
  public:
    const std::map<OutboxId, OutboxEntry>& entries() const { return entries_; }
    bool contains(const OutboxId& id) const { return entries_.contains(id); }
    // Null where there is none; good until the next change.
    const OutboxEntry* find(const OutboxId& id) const;
    const OutboxEntry* youngest_unsent(const std::string& subject) const;
    bool has_younger(const OutboxEntry& entry) const;  // of its subject, whatever became of it
    // Stores the entry under its id, new or not.
    void put(OutboxEntry entry) { store(std::move(entry), std::nullopt); }
    void erase(const OutboxId& id);
    std::vector<OutboxEntry> claim(int limit, TimePoint now, Duration lease);
    // False, and nothing stored, if the claim is over.
    bool settle(const OutboxEntry& entry, TimePoint now);
    // Those that were sent before, up to `limit`, oldest first; how many.
    std::size_t purge_sent(TimePoint before, std::size_t limit);

  private:
    // One that was sent at no known time was so when it was created.
    void store(OutboxEntry entry, std::optional<TimePoint> sent_at);
    void leave_line(const OutboxEntry& entry);
    void stand_in_line(const OutboxEntry& entry);
    const OutboxEntry& oldest_of(const std::set<OutboxId>& unsent) const { return entries_.at(*unsent.begin()); }

    std::map<OutboxId, OutboxEntry> entries_;
    std::map<std::string, std::set<OutboxId>> unsent_;  // by subject
    LaneTurns<OutboxId> turns_;                         // one per subject that has an unsent entry
    std::set<std::pair<TimePoint, OutboxId>> sent_;
};

}  // namespace crawler::adapters
