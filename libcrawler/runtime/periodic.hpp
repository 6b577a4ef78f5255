// The loop of a daemon that looks for work by itself: one pass after the other while there is work, a pause where there is none,
// until stop.
#pragma once
#include <functional>
#include <stop_token>

#include "coro/async.hpp"
#include "domain/result.hpp"
#include "runtime/loop.hpp"

namespace crawler::runtime {

struct PeriodicConfig {
    Duration interval = std::chrono::seconds{1};    // the pause after a pass that found nothing
    Duration error_wait = std::chrono::seconds{5};  // the pause after a pass that failed
    Duration drain = std::chrono::seconds{20};      // how long a pass may go on after stop
};

// One pass: how many pieces of work it did.
using Pass = std::function<Async<Result<std::size_t>>()>;

Async<> repeat(Pass pass, PeriodicConfig config, LoopContext loop, std::stop_token stop);

}  // namespace crawler::runtime
