// What the tests of the loops share: virtual time, somebody who listens, and a stop to ask for.
#pragma once
#include <stop_token>
#include <vector>

#include "adapters/memory/memory.hpp"
#include "coro/sleep.hpp"
#include "runtime/loop.hpp"
#include "support/clocks.hpp"
#include "support/run.hpp"
#include "support/told.hpp"

namespace crawler::test {

struct LoopWorld {
    boost::asio::io_context io{1};
    coro::VirtualTime time{io};
    VirtualClock clock{time};
    std::unique_ptr<adapters::MemoryTelemetry> telemetry = adapters::make_memory_telemetry();
    runtime::Health health{clock};
    runtime::Pulse& pulse = health.add("loop", std::chrono::minutes{5});
    std::stop_source stop;

    runtime::LoopContext loop() { return {ports::Loop::crawl_queue, *telemetry, clock, pulse}; }

    template <class Event>
    std::vector<Event> events() const {
        return told<Event>(*telemetry);
    }

    void stop_and_finish(Ended<void>& ended) {
        stop.request_stop();
        time.run([&ended] { return ended.done; });
        ended.get();
    }
};

}  // namespace crawler::test
