// Fires the schedule rules where no EventBridge does: each firing is a message on the trigger queue. Used by the scheduler's loop.
#pragma once
#include "coro/async.hpp"
#include "domain/schedule_rule.hpp"
#include "ports/message_queue.hpp"

namespace crawler::ports {

class Scheduler {
  public:
    virtual ~Scheduler() = default;

    // Fires up to `limit` enabled rules whose time has come, and plans their next time; how many messages that made. Both happen or
    // neither, and each firing happens once, however many schedulers there are.
    virtual Async<Result<std::size_t>> fire_due(TimePoint now, int limit) = 0;
};

// What a firing puts on the trigger queue: the firings of one rule in order, each of them once.
inline OutgoingMessage message_of(const ScheduleRule& rule, TimePoint firing) {
    return {.body = rule.input, .group = rule.name, .deduplication_id = rule.name + "@" + to_rfc3339(firing)};
}

}  // namespace crawler::ports
