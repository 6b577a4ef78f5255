#include "coro/race.hpp"

#include <catch2/catch_test_macros.hpp>
#include <stdexcept>
#include <string>
#include <thread>

#include "coro/stop.hpp"
#include "coro/timeout.hpp"
#include "support/run.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

// Says when it unwinds, however it ends.
struct Unwound {
    bool& flag;
    ~Unwound() { flag = true; }
};

Async<std::string> answer_after(std::chrono::nanoseconds wait, bool& unwound) {
    const Unwound on_exit{unwound};
    co_await coro::sleep(wait);
    co_return "answer";
}

Async<int> fail_after(std::chrono::nanoseconds wait) {
    co_await coro::sleep(wait);
    throw std::runtime_error("broken");
}

struct World {
    boost::asio::io_context io{1};
    coro::VirtualTime time{io};
    bool unwound = false;
};

Async<> stop_after(std::chrono::nanoseconds wait, std::stop_source source) {
    co_await coro::sleep(wait);
    source.request_stop();
}

}  // namespace

TEST_CASE("race: the first to end decides, and the other has unwound by then") {
    World w;

    const auto winner = run(w.io, w.time, coro::first_of(coro::sleep(1s), answer_after(1h, w.unwound)));

    CHECK(winner.index() == 0);
    CHECK(w.unwound);
    CHECK(w.time.elapsed() == 1s);
}

TEST_CASE("race: a failure ends it at once and is not hidden by the one that would have succeeded later") {
    World w;

    CHECK_THROWS_AS(run(w.io, w.time, coro::first_of(fail_after(1s), coro::sleep(1h))), std::runtime_error);
    CHECK(w.time.elapsed() == 1s);
}

TEST_CASE("timeout: work that is in time gives its value") {
    World w;
    const auto value = run(w.io, w.time, coro::with_timeout(answer_after(1s, w.unwound), 2s));
    CHECK(value == "answer");
}

TEST_CASE("timeout: work that is too late is cancelled and gives nothing") {
    World w;

    const auto value = run(w.io, w.time, coro::with_timeout(answer_after(1h, w.unwound), 2s));

    CHECK_FALSE(value);
    CHECK(w.unwound);
    CHECK(w.time.elapsed() == 2s);
}

TEST_CASE("timeout: an exception of the work travels") {
    World w;
    CHECK_THROWS_AS(run(w.io, w.time, coro::with_timeout(fail_after(1s), 2s)), std::runtime_error);
}

TEST_CASE("timeout: timeouts nest, the shorter one wins") {
    World w;

    auto inner = coro::with_timeout(answer_after(1h, w.unwound), 10s);
    const auto value = run(w.io, w.time, coro::with_timeout(std::move(inner), 3s));

    CHECK_FALSE(value);
    CHECK(w.unwound);
    CHECK(w.time.elapsed() == 3s);
}

TEST_CASE("stop: a wait is let go when the stop comes") {
    World w;
    std::stop_source source;
    Ended<void> stopper;
    start(w.io, stop_after(5s, source), stopper);

    const auto value = run(w.io, w.time, coro::or_stop(answer_after(1h, w.unwound), source.get_token()));

    CHECK_FALSE(value);
    CHECK(w.unwound);
    CHECK(w.time.elapsed() == 5s);
}

TEST_CASE("stop: after the stop nothing new begins") {
    World w;
    std::stop_source source;
    source.request_stop();

    const auto value = run(w.io, w.time, coro::or_stop(answer_after(1s, w.unwound), source.get_token()));

    CHECK_FALSE(value);
    CHECK(w.time.elapsed() == 0s);
}

TEST_CASE("stop: work that ends before the stop gives its value") {
    World w;
    std::stop_source source;
    const auto value = run(w.io, w.time, coro::or_stop(answer_after(1s, w.unwound), source.get_token()));
    CHECK(value == "answer");
}

TEST_CASE("stop: a request from another thread wakes the waiter") {
    boost::asio::io_context io{1};
    std::stop_source source;
    Ended<void> waiter;
    start(io, coro::until(source.get_token()), waiter);
    io.poll();

    std::jthread other([&source] { source.request_stop(); });
    io.restart();
    io.run();

    CHECK(waiter.done);
}
