#include "coro/blocking_pool.hpp"

#include <catch2/catch_test_macros.hpp>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "coro/timeout.hpp"
#include "support/run.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

Async<std::thread::id> thread_after(coro::BlockingPool& pool) {
    co_await pool.run([] {});
    co_return std::this_thread::get_id();
}

}  // namespace

TEST_CASE("blocking pool: the call runs on another thread and the caller goes on on its own") {
    coro::BlockingPool pool(2);
    auto ask = [] { return std::this_thread::get_id(); };

    CHECK(run(pool.run(ask)) != std::this_thread::get_id());
    CHECK(run(thread_after(pool)) == std::this_thread::get_id());
}

TEST_CASE("blocking pool: a value that can only be moved arrives") {
    coro::BlockingPool pool(1);
    auto make = [] { return std::make_unique<int>(7); };
    CHECK(*run(pool.run(make)) == 7);
}

TEST_CASE("blocking pool: an exception of the call is the caller's") {
    coro::BlockingPool pool(1);
    auto broken = []() -> int { throw std::runtime_error("driver"); };
    CHECK_THROWS_AS(run(pool.run(broken)), std::runtime_error);
}

TEST_CASE("blocking pool: a call takes no virtual time: whoever sleeps meanwhile does not wake before it is back") {
    boost::asio::io_context io{1};
    coro::VirtualTime time(io);
    coro::BlockingPool pool(1);
    std::promise<void> go_on;
    auto block = [may_go = go_on.get_future().share()] { may_go.wait(); };
    auto fetch = [&pool, &time, &block]() -> Async<std::chrono::nanoseconds> {
        co_await pool.run(block);
        co_return time.elapsed();
    };
    Ended<std::optional<std::chrono::nanoseconds>> fetched;
    start(io, coro::with_timeout(fetch(), 1h), fetched);
    auto release = [&go_on] { go_on.set_value(); };
    boost::asio::post(io, release);  // behind the call

    time.run([&fetched] { return fetched.done; });

    CHECK(fetched.get() == std::chrono::nanoseconds{0});
}

TEST_CASE("blocking pool: many calls at once all come back, each with its own value") {
    boost::asio::io_context io{1};
    coro::BlockingPool pool(4);
    constexpr int calls = 200;
    std::vector<Ended<int>> ended(calls);

    for (int i = 0; i < calls; ++i) {
        auto square = [i] { return i * i; };
        start(io, pool.run(square), ended[static_cast<std::size_t>(i)]);
    }
    io.run();

    for (int i = 0; i < calls; ++i) CHECK(ended[static_cast<std::size_t>(i)].get() == i * i);
}
