// An outbox: what must leave the database. There is one for tasks, one for schedule rules and one for products.
#pragma once
#include <vector>

#include "coro/async.hpp"
#include "domain/outbox.hpp"

namespace crawler::ports {

class OutboxStore {
  public:
    virtual ~OutboxStore() = default;

    // Up to `limit` entries that are due, or whose lease is over, now PROCESSING under a lease; no two callers get the same
    // one. Lanes take turns, so that a long one never holds up a short one; within a lane the oldest come first. Of one subject only the oldest unsent entry (PENDING, PROCESSING or FAILED; by the
    // order in which they were written) is handed out: while it waits or is under way the younger ones wait too. A DEAD one
    // holds nobody back. An entry that cannot be read as one becomes DEAD with the reason, which is told, and holds up nobody
    // either.
    virtual Async<Result<std::vector<OutboxEntry>>> claim(int limit, TimePoint now, Duration lease) = 0;

    // Stores what became of claimed entries, and with them, in one transaction, what that means for what they are about (what has
    // moved on stays as it is). In the task outbox the task of a SENT entry becomes PUBLISHED. In the scheduler outbox the schedule
    // of a DEAD entry becomes FAILED with the entry's reason, unless a younger order of the seller exists: each order says all of
    // what shall be, so the younger one decides. An entry that is no longer PROCESSING under this very claim
    // (its attempt differs, or it was settled) is left alone and counted out; a lease that is over but was given to
    // nobody else still counts. Returns how many entries were stored.
    virtual Async<Result<std::size_t>> settle(std::vector<OutboxEntry> entries, TimePoint now) = 0;
};

}  // namespace crawler::ports
