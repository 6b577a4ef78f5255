#include <catch2/catch_test_macros.hpp>

#include "adapters/http/connection_pool.hpp"
#include "support/run.hpp"

using namespace crawler;
using namespace crawler::adapters;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

struct Counted {
    std::size_t alive = 0;
    bool is_quiet = true;
};

class SilentConnection final : public Connection {
  public:
    explicit SilentConnection(Counted& counted) : counted_(counted) { ++counted_.alive; }
    ~SilentConnection() override { --counted_.alive; }
    Async<Spoken> exchange(Message, ReadLimits) override { co_return Spoken{Error{Errc::unavailable, "silent"}}; }
    bool is_quiet() override { return counted_.is_quiet; }

  private:
    Counted& counted_;
};

const Origin here{false, "here.example", "80"};
const Origin there{false, "there.example", "80"};

struct World {
    explicit World(ConnectionPool::Limits limits)
        : pool(io.get_executor(), limits, [this] { return ConnectionPool::Steady(now); }) {}

    ConnectionPool::Held take(const Origin& origin) {
        auto held = test::run(io, as_optional(origin));
        return std::move(*held);
    }
    // A new connection that waits for a request from now on.
    void leave_idle(const Origin& origin) {
        ConnectionPool::Held held{ConnectionPool::Place(&pool), std::make_unique<SilentConnection>(connections)};
        pool.keep(origin, std::move(held));
    }

    boost::asio::io_context io{1};
    std::chrono::nanoseconds now{1h};
    Counted connections;
    ConnectionPool pool;

    // What a coroutine gives must have a default.
    Async<std::optional<ConnectionPool::Held>> as_optional(Origin origin) {
        co_return co_await pool.take(std::move(origin));
    }
};

}  // namespace

TEST_CASE("http pool: an idle connection goes to who asks for its origin, and to nobody else") {
    World world({.open = 9, .idle_per_origin = 9, .idle_lifetime = 1min});
    world.leave_idle(here);

    CHECK_FALSE(world.take(there).connection);
    CHECK_FALSE(world.take({true, "here.example", "80"}).connection);
    CHECK_FALSE(world.take({false, "here.example", "81"}).connection);
    CHECK(world.take(here).connection);
    CHECK(world.pool.open() == 0);
}

TEST_CASE("http pool: a connection is not idle for longer than its lifetime") {
    World world({.open = 9, .idle_per_origin = 9, .idle_lifetime = 30s});
    world.leave_idle(here);

    world.now += 29s;
    world.leave_idle(there);
    CHECK(world.connections.alive == 2);
    world.now += 1s;

    CHECK_FALSE(world.take(here).connection);
    CHECK(world.connections.alive == 1);
    CHECK(world.take(there).connection);
}

TEST_CASE("http pool: of one origin only so many are idle, and the oldest goes") {
    World world({.open = 9, .idle_per_origin = 2, .idle_lifetime = 1min});
    for (int i = 0; i < 5; ++i) world.leave_idle(here);
    world.leave_idle(there);

    CHECK(world.connections.alive == 3);
    CHECK(world.pool.open() == 3);
}

TEST_CASE("http pool: one that has something to say while nobody asked is closed") {
    World world({.open = 9, .idle_per_origin = 9, .idle_lifetime = 1min});
    world.leave_idle(here);
    world.leave_idle(here);
    world.connections.is_quiet = false;

    CHECK_FALSE(world.take(here).connection);
    CHECK(world.connections.alive == 0);
}

TEST_CASE("http pool: where all are open, an idle one of another origin makes room") {
    World world({.open = 2, .idle_per_origin = 9, .idle_lifetime = 1min});
    world.leave_idle(here);
    world.leave_idle(here);

    const auto held = world.take(there);

    CHECK_FALSE(held.connection);
    CHECK(world.connections.alive == 1);
    CHECK(world.pool.open() == 2);
}

TEST_CASE("http pool: where all are in use, who asks waits until one is given back, or closed") {
    World world({.open = 1, .idle_per_origin = 9, .idle_lifetime = 1min});
    std::optional<ConnectionPool::Held> held = world.take(here);
    Ended<std::optional<ConnectionPool::Held>> waiting;
    start(world.io, world.as_optional(here), waiting);
    world.io.restart();
    world.io.poll();
    REQUIRE_FALSE(waiting.done);

    bool is_reused = false;
    SECTION("given back") {
        held->connection = std::make_unique<SilentConnection>(world.connections);
        world.pool.keep(here, std::move(*held));
        is_reused = true;
    }
    SECTION("closed") {
        held.reset();
    }
    world.io.restart();
    world.io.poll();

    REQUIRE(waiting.done);
    CHECK(static_cast<bool>((*waiting.value)->connection) == is_reused);
    CHECK(world.pool.open() == 1);
}
