// A queue in memory, which is its own desk. Part of memory.hpp.
#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <memory>

#include "adapters/memory/faults.hpp"
#include "ports/clock.hpp"
#include "ports/queue_desk.hpp"

namespace crawler::adapters {

struct MemoryQueueConfig {
    Duration visibility = std::chrono::seconds{30};
    int max_receive_count = 5;
};
class MemoryQueue : public ports::MessageQueue, public ports::QueueDesk {
  public:
    Async<Result<ports::QueueDepth>> depth() override = 0;  // of either

    // What was received too often, oldest first; the receipts are spent.
    virtual std::vector<ports::Delivery> dead_letters() const = 0;
    // Every send takes so long from now on.
    virtual void set_latency(Duration latency) = 0;
};
// The clock must move with the executor's time: the long poll sleeps by the one and looks at the other.
// The fault "message_queue.send_one" strikes single messages of a send.
std::unique_ptr<MemoryQueue> make_memory_queue(MemoryQueueConfig config, const ports::Clock& clock,
                                               const boost::asio::any_io_executor& executor, Faults* faults = nullptr);

}  // namespace crawler::adapters
