#include "coro/event.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/run.hpp"

using namespace crawler;
using namespace crawler::test;

TEST_CASE("event: notify wakes everyone who waits, and only them") {
    boost::asio::io_context io{1};
    coro::Event event(io.get_executor());
    Ended<void> first;
    Ended<void> second;
    Ended<void> late;
    start(io, event.wait(), first);
    start(io, event.wait(), second);
    io.poll();

    event.notify_all();
    start(io, event.wait(), late);
    io.restart();
    io.poll();

    CHECK(first.done);
    CHECK(second.done);
    CHECK_FALSE(late.done);

    event.notify_all();
    io.restart();
    io.poll();
    CHECK(late.done);
}

TEST_CASE("event: a notify that nobody waits for is forgotten") {
    boost::asio::io_context io{1};
    coro::Event event(io.get_executor());
    event.notify_all();
    Ended<void> waiter;
    start(io, event.wait(), waiter);

    io.poll();

    CHECK_FALSE(waiter.done);
    event.notify_all();
    io.restart();
    io.poll();
}
