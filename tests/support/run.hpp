// Drives a coroutine to its end and gives back its value; its exception is the test's.
#pragma once
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>
#include <stdexcept>

#include "coro/race.hpp"
#include "coro/virtual_time.hpp"

namespace crawler::test {

// What a coroutine came to, filled in when it ends.
template <class T>
struct Ended {
    bool done = false;
    std::exception_ptr error;
    std::optional<coro::Valued<T>> value;

    T get() {
        if (!done) throw std::logic_error("the coroutine waits for something that never comes");
        if (error) std::rethrow_exception(error);
        if constexpr (!std::is_void_v<T>) return std::move(*value);
    }
};

// Starts the coroutine; `ended` must outlive it.
template <class T>
void start(boost::asio::io_context& io, Async<T> work, Ended<T>& ended) {
    if constexpr (std::is_void_v<T>) {
        boost::asio::co_spawn(io, std::move(work), [&ended](std::exception_ptr error) {
            ended.done = true;
            ended.error = std::move(error);
            if (!ended.error) ended.value.emplace();
        });
    } else {
        boost::asio::co_spawn(io, std::move(work), [&ended](std::exception_ptr error, T value) {
            ended.done = true;
            ended.error = std::move(error);
            if (!ended.error) ended.value.emplace(std::move(value));
        });
    }
}

// In real time.
template <class T>
T run(boost::asio::io_context& io, Async<T> work) {
    Ended<T> ended;
    start(io, std::move(work), ended);
    io.restart();
    io.run();
    return ended.get();
}

template <class T>
T run(Async<T> work) {
    boost::asio::io_context io{1};
    return run(io, std::move(work));
}

// In virtual time.
template <class T>
T run(boost::asio::io_context& io, coro::VirtualTime& time, Async<T> work) {
    Ended<T> ended;
    start(io, std::move(work), ended);
    time.run([&ended] { return ended.done; });
    return ended.get();
}

}  // namespace crawler::test
