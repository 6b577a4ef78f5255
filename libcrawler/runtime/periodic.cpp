#include "runtime/periodic.hpp"

#include <optional>

#include "coro/group.hpp"
#include "coro/stop.hpp"

namespace crawler::runtime {
namespace {

// Lives as long as the loop; the pass under way refers to it.
struct Repetition {
    Pass pass;
    PeriodicConfig config;
    LoopContext loop;
    std::optional<Result<std::size_t>> outcome{};  // of the last pass; empty if it threw
    TimePoint stopped_at{};

    Async<> run(coro::Group& current, std::stop_token stop);
    Async<> run_once();
    Duration pause_length() const;
};

// Passes and pauses until stop; a pass that the stop finds under way is left in the group.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): with_group outlives it
Async<> Repetition::run(coro::Group& current, std::stop_token stop) {
    while (!stop.stop_requested()) {
        outcome.reset();
        current.spawn(run_once());
        const auto ended = co_await coro::or_stop(current.empty(), stop);
        if (!ended) break;
        loop.pulse.beat();
        co_await pause(loop, pause_length(), stop);
    }
    stopped_at = loop.clock.now();
}

Async<> Repetition::run_once() {
    const auto began = loop.clock.now();
    outcome = co_await pass();
    if (*outcome) {
        loop.telemetry.emit(ports::LoopPassed{loop.name, **outcome, loop.clock.now() - began});
    } else {
        loop.telemetry.emit(ports::LoopFailed{loop.name, outcome->error()});
    }
}

Duration Repetition::pause_length() const {
    if (!outcome || !*outcome) return config.error_wait;
    return **outcome > 0 ? Duration{0} : config.interval;
}

}  // namespace

Async<> repeat(Pass pass, PeriodicConfig config, LoopContext loop, std::stop_token stop) {
    Repetition repetition{std::move(pass), config, loop};
    auto body = [&](coro::Group& current) { return repetition.run(current, stop); };
    const auto cut = co_await coro::with_group(1, tell_crash(loop), config.drain, body);
    loop.telemetry.emit(ports::LoopDrained{loop.name, cut, loop.clock.now() - repetition.stopped_at});
}

}  // namespace crawler::runtime
