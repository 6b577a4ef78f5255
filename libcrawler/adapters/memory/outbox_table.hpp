// One outbox in memory: its entries by id and, of each subject, the one whose turn it is.
#pragma once
#include <map>
#include <set>
#include <vector>

#include "domain/outbox.hpp"

namespace crawler::adapters {

class OutboxTable {
  public:
    bool contains(const OutboxId& id) const { return entries_.contains(id); }
    // Stores the entry under its id, new or not.
    void put(OutboxEntry entry);
    std::vector<OutboxEntry> claim(int limit, TimePoint now, Duration lease);
    // False, and nothing stored, if the claim is over.
    bool settle(const OutboxEntry& entry);

  private:
    using Turn = std::pair<TimePoint, OutboxId>;  // when it may be claimed: due, or the end of its lease
    const OutboxEntry& oldest_of(const std::set<OutboxId>& unsent) const { return entries_.at(*unsent.begin()); }

    std::map<OutboxId, OutboxEntry> entries_;
    std::map<std::string, std::set<OutboxId>> unsent_;  // by subject
    std::set<Turn> turns_;                              // one per subject that has an unsent entry
};

}  // namespace crawler::adapters
