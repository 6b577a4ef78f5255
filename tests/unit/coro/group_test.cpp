#include "coro/group.hpp"

#include <boost/asio/this_coro.hpp>
#include <catch2/catch_test_macros.hpp>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "coro/blocking_pool.hpp"
#include "coro/sleep.hpp"
#include "coro/timeout.hpp"
#include "support/run.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

struct World {
    boost::asio::io_context io{1};
    coro::VirtualTime time{io};
    std::vector<std::string> errors;
    int running = 0;
    int most_running = 0;
    int finished = 0;

    coro::Group::OnError note_error() {
        return [this](std::exception_ptr error) {
            try {
                std::rethrow_exception(error);
            } catch (const std::exception& e) {
                errors.emplace_back(e.what());
            }
        };
    }
};

Async<> work(World& w, std::chrono::nanoseconds length) {
    ++w.running;
    w.most_running = std::max(w.most_running, w.running);
    struct Leave {
        World& w;
        ~Leave() { --w.running; }
    } leave{w};
    co_await coro::sleep(length);
    ++w.finished;
}

Async<> broken() {
    co_await coro::sleep(1s);
    throw std::runtime_error("broken child");
}

Async<std::size_t> spawn_many(World& w, int count, std::size_t limit, std::chrono::nanoseconds length,
                              std::chrono::nanoseconds patience) {
    coro::Group group(co_await boost::asio::this_coro::executor, limit, w.note_error());
    for (int i = 0; i < count; ++i) {
        co_await group.room();
        group.spawn(work(w, length));
    }
    co_return co_await group.drain(patience);
}

}  // namespace

TEST_CASE("group: never more children at once than the limit, and all of them finish") {
    World w;

    const auto cut = run(w.io, w.time, spawn_many(w, 20, 3, 1s, 1min));

    CHECK(w.most_running == 3);
    CHECK(w.finished == 20);
    CHECK(cut == 0);
    CHECK(w.time.elapsed() == 7s);
}

TEST_CASE("group: drain waits for children that finish within its patience") {
    World w;

    const auto cut = run(w.io, w.time, spawn_many(w, 3, 3, 10s, 10s + 1ms));

    CHECK(cut == 0);
    CHECK(w.finished == 3);
}

TEST_CASE("group: drain cancels what is left after its patience and waits until it has unwound") {
    World w;

    const auto cut = run(w.io, w.time, spawn_many(w, 3, 3, 1h, 20s));

    CHECK(cut == 3);
    CHECK(w.running == 0);
    CHECK(w.finished == 0);
    CHECK(w.errors.empty());
    CHECK(w.time.elapsed() == 20s);
}

TEST_CASE("group: with no patience even a child that has not taken its first step is let go") {
    World w;

    const auto cut = run(w.io, w.time, spawn_many(w, 2, 2, 1h, 0s));

    CHECK(cut == 2);
    CHECK(w.running == 0);
}

TEST_CASE("group: an exception of a child is heard, and the others go on") {
    World w;
    auto both = [](World& world) -> Async<std::size_t> {
        coro::Group group(co_await boost::asio::this_coro::executor, 2, world.note_error());
        group.spawn(broken());
        group.spawn(work(world, 5s));
        co_return co_await group.drain(1min);
    };

    const auto cut = run(w.io, w.time, both(w));

    CHECK(cut == 0);
    CHECK(w.errors == std::vector<std::string>{"broken child"});
    CHECK(w.finished == 1);
}

TEST_CASE("group: draining an empty group is nothing") {
    World w;
    CHECK(run(w.io, w.time, spawn_many(w, 0, 1, 1s, 1h)) == 0);
    CHECK(w.time.elapsed() == 0s);
}

namespace {

// Blocks on the pool until released, then notes that the result arrived, then tries to go on.
Async<> blocked(coro::BlockingPool& pool, std::stop_source release, bool& delivered, bool& went_on) {
    auto wait_for_release = [&release] {
        while (!release.stop_requested()) std::this_thread::yield();
        return 42;
    };
    const auto value = co_await pool.run(wait_for_release);
    delivered = value == 42;
    co_await coro::sleep(1h);
    went_on = true;
}

}  // namespace

TEST_CASE("group: a blocking call that has begun delivers its result before its child is cut") {
    boost::asio::io_context io{1};
    coro::BlockingPool pool(1);
    std::stop_source release;
    bool delivered = false;
    bool went_on = false;
    auto parent = [&]() -> Async<std::size_t> {
        coro::Group group(io.get_executor(), 1, [](std::exception_ptr) {});
        group.spawn(blocked(pool, release, delivered, went_on));
        auto cut = group.drain(1ms);
        release.request_stop();
        co_return co_await std::move(cut);
    };

    const auto cut = run(io, parent());

    CHECK(cut == 1);
    CHECK(delivered);
    CHECK_FALSE(went_on);
}

TEST_CASE("group: a body that fails has its children cancelled and unwound before the failure travels") {
    World w;
    auto fail_with_children = [&w](coro::Group& group) -> Async<> {
        group.spawn(work(w, 1h));
        co_await coro::sleep(1s);
        throw std::runtime_error("broken body");
    };

    CHECK_THROWS_AS(run(w.io, w.time, coro::with_group(2, w.note_error(), 1h, fail_with_children)), std::runtime_error);
    CHECK(w.running == 0);
    CHECK(w.time.elapsed() == 1s);
}

TEST_CASE("group: a body that is cancelled still waits for its children") {
    World w;
    auto busy = [&w](coro::Group& group) -> Async<> {
        group.spawn(work(w, 1h));
        co_await coro::sleep(1h);
    };

    const auto value = run(w.io, w.time, coro::with_timeout(coro::with_group(2, w.note_error(), 1h, busy), 5s));

    CHECK_FALSE(value);
    CHECK(w.running == 0);
    CHECK(w.errors.empty());
    CHECK(w.time.elapsed() == 5s);
}
