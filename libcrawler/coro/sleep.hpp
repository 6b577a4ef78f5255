// The one sleep. Every wait for time to pass goes through it, so that virtual time can drive a whole fleet.
#pragma once
#include <chrono>

#include "coro/async.hpp"

namespace crawler::coro {

// Returns when `length` has passed: real time, or the virtual time of the io_context this coroutine runs on.
Async<> sleep(std::chrono::nanoseconds length);

}  // namespace crawler::coro
