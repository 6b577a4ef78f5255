#include "adapters/aws/sdk_threads.hpp"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "coro/timeout.hpp"
#include "support/run.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;
using adapters::aws::Cut;
using adapters::aws::SdkThreads;

namespace {

Async<std::thread::id> ran_on(SdkThreads& threads, std::thread::id& went_on) {
    auto call = [](const Cut&) { return std::this_thread::get_id(); };
    const auto id = co_await threads.run(std::move(call));
    went_on = std::this_thread::get_id();
    co_return id;
}

// Ends only when nobody wants it any more.
Async<int> asked_for_ever(SdkThreads& threads, bool& has_ended) {
    auto call = [&has_ended](const Cut& cut) {
        while (!cut) std::this_thread::yield();
        has_ended = true;
        return 1;
    };
    co_return co_await threads.run(std::move(call));
}

}  // namespace

TEST_CASE("sdk threads: a call blocks a thread of theirs, and its caller goes on where it was") {
    SdkThreads threads(1);
    std::thread::id went_on;

    const auto ran = run(ran_on(threads, went_on));

    CHECK(ran != std::this_thread::get_id());
    CHECK(went_on == std::this_thread::get_id());
}

TEST_CASE("sdk threads: what a call throws is its caller's") {
    SdkThreads threads(1);
    auto call = [](const Cut&) -> int { throw std::runtime_error("no"); };

    CHECK_THROWS_AS(run(threads.run(call)), std::runtime_error);
}

TEST_CASE("sdk threads: who is cancelled tells the call, and goes on when it has ended") {
    SdkThreads threads(1);
    bool has_ended = false;

    const auto answer = run(coro::with_timeout(asked_for_ever(threads, has_ended), 1ms));

    CHECK_FALSE(answer);
    CHECK(has_ended);
}

TEST_CASE("sdk threads: a call that finds no thread free waits for one, and can be cut there too") {
    SdkThreads threads(1);
    bool first_has_ended = false;
    bool second_has_ended = false;
    boost::asio::io_context io{1};
    Ended<std::optional<int>> first;
    Ended<std::optional<int>> second;

    start(io, coro::with_timeout(asked_for_ever(threads, first_has_ended), 2ms), first);
    start(io, coro::with_timeout(asked_for_ever(threads, second_has_ended), 1ms), second);
    io.run();

    CHECK_FALSE(first.get());
    CHECK_FALSE(second.get());
    CHECK(first_has_ended);
    CHECK(second_has_ended);
}
