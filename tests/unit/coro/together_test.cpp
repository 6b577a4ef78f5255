#include "coro/together.hpp"

#include <catch2/catch_test_macros.hpp>
#include <stdexcept>

#include "coro/sleep.hpp"
#include "support/run.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

Async<> fail_after(std::chrono::nanoseconds wait) {
    co_await coro::sleep(wait);
    throw std::runtime_error("broken");
}

}  // namespace

TEST_CASE("together: ends when both have ended") {
    boost::asio::io_context io{1};
    coro::VirtualTime time(io);

    run(io, time, coro::together(coro::sleep(1s), coro::sleep(3s)));

    CHECK(time.elapsed() == 3s);
}

TEST_CASE("together: a failure of one ends the other and travels as itself") {
    boost::asio::io_context io{1};
    coro::VirtualTime time(io);

    CHECK_THROWS_AS(run(io, time, coro::together(coro::sleep(1h), fail_after(2s))), std::runtime_error);
    CHECK(time.elapsed() == 2s);
}
