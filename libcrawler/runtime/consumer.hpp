// The loop of a daemon that is fed by a queue: asks whether it may take work, receives, handles several deliveries at once, keeps
// them invisible meanwhile, settles each; until stop, then drains.
#pragma once
#include <functional>
#include <stop_token>

#include "coro/async.hpp"
#include "ports/message_queue.hpp"
#include "runtime/loop.hpp"

namespace crawler::runtime {

struct ConsumerConfig {
    int max_in_flight = 8;
    int batch = 10;                                 // deliveries per receive; one while the queue is empty
    Duration wait = std::chrono::seconds{20};       // of the long poll
    Duration error_wait = std::chrono::seconds{5};  // the pause after a receive that failed
    Duration drain = std::chrono::seconds{20};      // how long work in flight may go on after stop
};

// An error, like an exception, leaves the delivery to come back when its visibility is over.
using Handle = std::function<Async<Result<ports::Disposition>>(ports::Delivery)>;

struct Admission {
    int allowed = 0;       // how many deliveries may be taken now
    Duration ask_again{};  // where none: the pause before the next question
};
// Asked before every receive, so that work which cannot be done yet is never taken off the queue.
using Admit = std::function<Async<Result<Admission>>(int wanted)>;
Admit admit_all();

Async<> consume(ports::MessageQueue& queue, Handle handle, Admit admit, ConsumerConfig config, LoopContext loop,
                std::stop_token stop);

}  // namespace crawler::runtime
