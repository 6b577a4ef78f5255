// What every loop of a daemon carries with it: its name, whom it tells, and its pulse for the health check.
#pragma once
#include <exception>
#include <functional>
#include <stop_token>
#include <string>

#include "coro/async.hpp"
#include "ports/clock.hpp"
#include "ports/telemetry.hpp"
#include "runtime/health.hpp"

namespace crawler::runtime {

struct LoopContext {
    ports::Loop name;
    ports::Telemetry& telemetry;
    const ports::Clock& clock;
    Pulse& pulse;
};

// Sleeps, beating now and then, until `length` has passed or stop is requested.
Async<> pause(LoopContext loop, Duration length, std::stop_token stop);

// The text of an exception that nobody expected.
std::string describe(const std::exception_ptr& error);
// Tells of one that left a piece of the loop's work.
std::function<void(std::exception_ptr)> tell_crash(LoopContext loop);

}  // namespace crawler::runtime
