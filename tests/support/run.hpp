// Drives a coroutine to its end and gives back its value; its exception is the test's.
#pragma once
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

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

template <class T>
Async<> keep(Async<T> work, Ended<T>& ended) {
    if constexpr (std::is_void_v<T>) {
        co_await std::move(work);
        ended.value.emplace();
    } else {
        ended.value.emplace(co_await std::move(work));
    }
}

// Starts the coroutine; `ended` must outlive it.
template <class T>
void start(boost::asio::io_context& io, Async<T> work, Ended<T>& ended) {
    boost::asio::co_spawn(io, keep(std::move(work), ended), [&ended](std::exception_ptr error) {
        ended.done = true;
        ended.error = std::move(error);
    });
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

// Both at once, in virtual time.
template <class A, class B>
std::pair<A, B> run_both(boost::asio::io_context& io, coro::VirtualTime& time, Async<A> a, Async<B> b) {
    Ended<A> first;
    Ended<B> second;
    start(io, std::move(a), first);
    start(io, std::move(b), second);
    time.run([&] { return first.done && second.done; });
    return {first.get(), second.get()};
}

}  // namespace crawler::test
