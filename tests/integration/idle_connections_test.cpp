// Connections to the server that nobody needs any more.
#include <atomic>
#include <barrier>
#include <catch2/catch_test_macros.hpp>

#include "contract/fixtures/sql.hpp"

using namespace crawler;
using namespace crawler::test;
using adapters::sql::Session;

namespace {

constexpr int most = 4;

struct Pool {
    MariaDbSchema place;
    boost::asio::io_context io{1};
    std::atomic<Duration::rep> elapsed = 0;
    std::unique_ptr<adapters::MemoryTelemetry> telemetry = adapters::make_memory_telemetry();
    adapters::Database database = adapters::open_database({.url = place.url(),
                                                           .min_connections = 2,
                                                           .max_connections = most,
                                                           .idle_timeout = 10min,
                                                           .elapsed = [this] { return Duration{elapsed.load()}; }},
                                                          *telemetry);

    void advance(Duration length) { elapsed += length.count(); }

    // So many readers at once, each on a connection of its own.
    void use(int readers) {
        std::barrier all_there(readers);
        auto body = [&all_there](Session& session) -> Result<std::int64_t> {
            all_there.arrive_and_wait();
            return session.number("1");
        };
        std::vector<Ended<Result<std::int64_t>>> ended(static_cast<std::size_t>(readers));
        for (auto& end : ended) start(io, database->read(body), end);
        io.restart();
        io.run();
        for (auto& end : ended) REQUIRE(end.get());
    }

    // As the server counts them.
    std::int64_t connections() {
        auto body = [](Session& session) -> Result<std::int64_t> {
            return session.number("COUNT(*) FROM information_schema.processlist WHERE db = DATABASE()");
        };
        const auto count = test::run(io, database->read(body));
        REQUIRE(count);
        return *count;
    }
    // The server takes a moment to notice that one was closed.
    bool comes_down_to(std::int64_t count) {
        for (int look = 0; look < 10'000; ++look) {
            if (connections() <= count) return connections() == count;
        }
        return false;
    }
};

}  // namespace

TEST_CASE("idle connections: those that nobody used for the idle time are closed, down to the least",
          "[integration][connections]") {
    Pool pool;
    CHECK(pool.connections() == 2);
    pool.use(most);
    CHECK(pool.connections() == most);

    pool.advance(10min - 1us);
    CHECK(pool.connections() == most);

    pool.advance(1us);
    pool.use(1);
    CHECK(pool.comes_down_to(2));
}

TEST_CASE("idle connections: those that are in use now and then stay", "[integration][connections]") {
    Pool pool;
    pool.use(most);

    for (int i = 0; i < 5; ++i) {
        pool.advance(9min);
        pool.use(3);
    }

    CHECK(pool.comes_down_to(3));
    pool.use(most);
    CHECK(pool.connections() == most);
}
