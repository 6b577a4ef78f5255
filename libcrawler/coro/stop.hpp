// The soft stop: "take nothing new". Loops read the token; waits that hold nothing are raced with it.
#pragma once
#include <stop_token>

#include "coro/race.hpp"

namespace crawler::coro {

// Returns when a stop is requested, from whatever thread.
Async<> until(std::stop_token stop);

// The work's value, or nothing if the stop came first; then the work has been cancelled and has unwound.
template <class T>
Async<std::optional<Valued<T>>> or_stop(Async<T> work, std::stop_token stop) {
    if (stop.stop_requested()) co_return std::nullopt;
    auto first = co_await first_of(std::move(work), until(std::move(stop)));
    if (first.index() == 1) co_return std::nullopt;
    co_return std::get<0>(std::move(first));
}

}  // namespace crawler::coro
