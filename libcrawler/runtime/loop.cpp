#include "runtime/loop.hpp"

#include <algorithm>

#include "coro/sleep.hpp"
#include "coro/stop.hpp"

namespace crawler::runtime {

Async<> pause(LoopContext loop, Duration length, std::stop_token stop) {
    constexpr Duration longest_slice = std::chrono::seconds{5};
    do {
        const auto slice = std::min(length, longest_slice);
        co_await coro::or_stop(coro::sleep(slice), stop);
        loop.pulse.beat();
        length -= slice;
    } while (length > Duration::zero() && !stop.stop_requested());
}

std::string describe(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& e) {
        return e.what();
    } catch (...) {
        return "an exception that is no std::exception";
    }
}

std::function<void(std::exception_ptr)> tell_crash(LoopContext loop) {
    return [loop](const std::exception_ptr& error) {
        loop.telemetry.emit(ports::LoopCrashed{loop.name, describe(error)});
    };
}

}  // namespace crawler::runtime
