// An outbox: what must leave the database. There is one for tasks, one for schedule rules and one for products.
#pragma once
#include <vector>

#include "coro/async.hpp"
#include "domain/outbox.hpp"

namespace crawler::ports {

class OutboxStore {
  public:
    virtual ~OutboxStore() = default;

    // Up to `limit` entries that are due, oldest first, now PROCESSING under a lease; no two callers get the same one.
    // Of one subject only the oldest unsent entry is handed out, so that its order is kept.
    virtual Async<Result<std::vector<OutboxEntry>>> claim(int limit, TimePoint now, Duration lease) = 0;

    // Stores what became of claimed entries, and in the task outbox also makes the task of a SENT entry PUBLISHED: one
    // transaction. An entry whose claim was lost to another relay (its attempt differs) is left alone and counted out.
    // Returns how many entries were stored.
    virtual Async<Result<std::size_t>> settle(std::vector<OutboxEntry> entries) = 0;
};

}  // namespace crawler::ports
