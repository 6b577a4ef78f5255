#include "coro/virtual_time.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "coro/sleep.hpp"
#include "support/run.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

Async<> note_after(std::chrono::nanoseconds wait, int name, std::vector<int>& notes) {
    co_await coro::sleep(wait);
    notes.push_back(name);
}

Async<> sleep_in_steps(int steps, std::chrono::nanoseconds step) {
    for (int i = 0; i < steps; ++i) co_await coro::sleep(step);
}

}  // namespace

TEST_CASE("virtual time: a day of sleeping passes and is counted exactly") {
    boost::asio::io_context io{1};
    coro::VirtualTime time(io);

    run(io, time, sleep_in_steps(24 * 60, 1min));

    CHECK(time.elapsed() == 24h);
}

TEST_CASE("virtual time: sleepers wake in order of time, equal times in order of falling asleep") {
    boost::asio::io_context io{1};
    coro::VirtualTime time(io);
    std::vector<int> notes;
    Ended<void> ended[4];

    start(io, note_after(3s, 1, notes), ended[0]);
    start(io, note_after(1s, 2, notes), ended[1]);
    start(io, note_after(3s, 3, notes), ended[2]);
    start(io, note_after(2s, 4, notes), ended[3]);
    time.advance(1h);

    CHECK(notes == std::vector{2, 4, 1, 3});
}

TEST_CASE("virtual time: advance wakes those whose time has come and nobody else") {
    boost::asio::io_context io{1};
    coro::VirtualTime time(io);
    std::vector<int> notes;
    Ended<void> early;
    Ended<void> late;
    start(io, note_after(10s, 1, notes), early);
    start(io, note_after(11s, 2, notes), late);

    time.advance(10s);
    CHECK(notes == std::vector{1});
    CHECK(time.elapsed() == 10s);

    time.advance(1s);
    CHECK(notes == std::vector{1, 2});
}

TEST_CASE("virtual time: run says when everybody waits for something that time cannot bring") {
    boost::asio::io_context io{1};
    coro::VirtualTime time(io);
    std::vector<int> notes;
    Ended<void> ended;
    start(io, note_after(1s, 1, notes), ended);

    CHECK_FALSE(time.run([] { return false; }));
    CHECK(ended.done);
}

TEST_CASE("virtual time: a sleep that is cancelled ends at once and does not hold time up") {
    boost::asio::io_context io{1};
    coro::VirtualTime time(io);
    boost::asio::cancellation_signal cancel;
    std::exception_ptr error;
    boost::asio::co_spawn(io, coro::sleep(1h),
                          boost::asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr e) { error = e; }));
    time.advance(1s);

    cancel.emit(boost::asio::cancellation_type::terminal);
    time.advance(1s);

    REQUIRE(error);
    CHECK_THROWS_AS(std::rethrow_exception(error), boost::system::system_error);
    CHECK_FALSE(time.run([] { return false; }));
    CHECK(time.elapsed() == 2s);
}

TEST_CASE("sleep: without virtual time it is real time that passes") {
    const auto before = std::chrono::steady_clock::now();

    run(coro::sleep(5ms));

    CHECK(std::chrono::steady_clock::now() - before >= 5ms);
}
