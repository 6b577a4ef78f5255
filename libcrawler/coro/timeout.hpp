// Work that may take only so long. Used at the edge, inside adapters, with a limit from the configuration.
#pragma once
#include <chrono>

#include "coro/race.hpp"
#include "coro/sleep.hpp"

namespace crawler::coro {

// The work's value, or nothing if it took longer than `limit`; then it has been cancelled and has unwound.
template <class T>
Async<std::optional<Valued<T>>> with_timeout(Async<T> work, std::chrono::nanoseconds limit) {
    auto first = co_await first_of(std::move(work), sleep(limit));
    if (first.index() == 1) co_return std::nullopt;
    co_return std::get<0>(std::move(first));
}

}  // namespace crawler::coro
