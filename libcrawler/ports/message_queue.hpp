// A queue with the manners of SQS: at least once, visibility by time, order within a group.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "coro/async.hpp"
#include "domain/result.hpp"
#include "domain/time.hpp"

namespace crawler::ports {

// What SQS takes as a group or as a deduplication id has so many bytes at most.
inline constexpr std::size_t longest_queue_key = 128;

struct OutgoingMessage {
    std::string body;
    std::string group;  // messages of one group are delivered in order, one in flight at a time; empty: no group
    std::string deduplication_id;  // a second send within five minutes is accepted and dropped; empty: never dropped
};

struct Delivery {
    std::string body;
    std::string message_id;
    std::string receipt;  // names this delivery, not the message: a later delivery has another
    int receive_count = 0;
    std::optional<TimePoint> sent_at = std::nullopt;  // where the queue says so
};

// How much lies in a queue; a queue far away may only know it roughly.
struct QueueDepth {
    std::int64_t waiting = 0;    // may be received now, or as soon as its group lets it
    std::int64_t in_flight = 0;  // invisible: somebody works on it, or it was put off
    std::int64_t dead = 0;       // received too often

    friend bool operator==(const QueueDepth&, const QueueDepth&) = default;
};

struct Ack {};
struct RetryAfter {
    Duration wait{};
};
// What becomes of a delivery that was handled.
using Disposition = std::variant<Ack, RetryAfter>;

inline Result<> check_keys(const OutgoingMessage& message) {
    if (message.group.size() <= longest_queue_key && message.deduplication_id.size() <= longest_queue_key) return {};
    return Error{Errc::invalid, "a group and a deduplication id have at most 128 bytes"};
}

class MessageQueue {
  public:
    virtual ~MessageQueue() = default;

    // How long a delivery stays invisible to others unless it is extended.
    virtual Duration visibility() const = 0;
    // One result per message, in order; invalid: its group or its deduplication id is too long. An outer error: none was accepted,
    // as far as is known.
    virtual Async<Result<std::vector<Result<>>>> send(std::vector<OutgoingMessage> messages) = 0;
    // Up to `limit` messages, waiting up to `wait` for the first; none is an empty list. Invisible to others until the
    // visibility timeout is over. A message that was received too often goes to the dead letters instead.
    virtual Async<Result<std::vector<Delivery>>> receive(int limit, Duration wait) = 0;
    // conflict, from all three: the delivery is over; the message went to somebody else, or is gone. A queue may say so
    // from the end of the visibility timeout on. retry_after ends the delivery; extend counts from now.
    virtual Async<Result<>> ack(std::string receipt) = 0;
    virtual Async<Result<>> retry_after(std::string receipt, Duration wait) = 0;
    virtual Async<Result<>> extend(std::string receipt, Duration visibility) = 0;
    virtual Async<Result<QueueDepth>> depth() = 0;
};

}  // namespace crawler::ports
