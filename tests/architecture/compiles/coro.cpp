#include "coro/sleep.hpp"

namespace crawler::coro {

Async<> sleep_twice(std::chrono::nanoseconds length) {
    co_await sleep(length);
    co_await sleep(length);
}

}  // namespace crawler::coro
