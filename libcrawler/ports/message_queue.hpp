// A queue with the manners of SQS: at least once, visibility by time, order within a group.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "coro/async.hpp"
#include "domain/result.hpp"
#include "domain/time.hpp"

namespace crawler::ports {

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
};

struct Ack {};
struct RetryAfter {
    Duration wait{};
};
// What becomes of a delivery that was handled.
using Disposition = std::variant<Ack, RetryAfter>;

class MessageQueue {
  public:
    virtual ~MessageQueue() = default;

    // How long a delivery stays invisible to others unless it is extended.
    virtual Duration visibility() const = 0;
    // One result per message, in order. An outer error: none was accepted, as far as is known.
    virtual Async<Result<std::vector<Result<>>>> send(std::vector<OutgoingMessage> messages) = 0;
    // Up to `limit` messages, waiting up to `wait` for the first; none is an empty list. Invisible to others until the
    // visibility timeout is over. A message that was received too often goes to the dead letters instead.
    virtual Async<Result<std::vector<Delivery>>> receive(int limit, Duration wait) = 0;
    // conflict, from all three: the delivery is over; the message went to somebody else, or is gone. A queue may say so
    // from the end of the visibility timeout on. retry_after ends the delivery; extend counts from now.
    virtual Async<Result<>> ack(std::string receipt) = 0;
    virtual Async<Result<>> retry_after(std::string receipt, Duration wait) = 0;
    virtual Async<Result<>> extend(std::string receipt, Duration visibility) = 0;
};

}  // namespace crawler::ports
