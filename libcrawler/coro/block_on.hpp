// Drives one coroutine to its end on this thread: for commands, which do one thing and exit. Daemons have run_service.
#pragma once
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>

#include "coro/race.hpp"

namespace crawler::coro {

namespace detail {

template <class T>
// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): block_on waits for it
Async<> keep_value(Async<T> work, std::optional<Valued<T>>& value) {
    if constexpr (std::is_void_v<T>) {
        co_await std::move(work);
        value.emplace();
    } else {
        value.emplace(co_await std::move(work));
    }
}

}  // namespace detail

// The coroutine's value, or its exception.
template <class T>
T block_on(boost::asio::io_context& io, Async<T> work) {
    std::optional<Valued<T>> value;
    std::exception_ptr error;
    boost::asio::co_spawn(io, detail::keep_value(std::move(work), value),
                          [&error](std::exception_ptr thrown) { error = std::move(thrown); });
    io.restart();
    io.run();
    if (error) std::rethrow_exception(error);
    if constexpr (!std::is_void_v<T>) return std::move(*value);
}

}  // namespace crawler::coro
