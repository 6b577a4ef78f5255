// The operator's look into one queue: what lies in it, what became a dead letter, and how it gets back. Used by crawlerctl and the
// admin API; the daemons' loops use MessageQueue.
#pragma once
#include <optional>

#include "ports/message_queue.hpp"

namespace crawler::ports {

enum class QueuePart { waiting, dead };
constexpr auto names(QueuePart) {
    return std::to_array<EnumName<QueuePart>>({{QueuePart::waiting, "WAITING"}, {QueuePart::dead, "DEAD"}});
}

struct StoredMessage {
    std::string message_id;
    std::string body;
    std::string group;
    TimePoint sent_at;
    int receive_count = 0;
    std::optional<TimePoint> in_flight_until;  // invisible so long: somebody works on it, or it was put off
    std::optional<TimePoint> died_at;          // of a dead letter

    friend bool operator==(const StoredMessage&, const StoredMessage&) = default;
};

class QueueDesk {
  public:
    virtual ~QueueDesk() = default;

    virtual Async<Result<QueueDepth>> depth() = 0;
    // The oldest ones of that part, those in flight too; changes nothing. On SQS this is a receive with a visibility of 0: a sample
    // in no order, without what is in flight, and each look counts as a receive.
    virtual Async<Result<std::vector<StoredMessage>>> peek(QueuePart part, int limit) = 0;
    // Sends the oldest dead letters again: behind what waits in their groups, received never, past deduplication. How many.
    virtual Async<Result<std::size_t>> redrive(int limit) = 0;
    // Deletes the oldest ones of that part for good; how many. A delivery that is not over keeps its message. (SQS knows only all or
    // nothing there, in flight or not.)
    virtual Async<Result<std::size_t>> purge(QueuePart part, int limit) = 0;
};

}  // namespace crawler::ports
