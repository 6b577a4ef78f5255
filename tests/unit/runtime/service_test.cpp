#include "runtime/service.hpp"

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <stdexcept>

#include "coro/sleep.hpp"
#include "coro/stop.hpp"
#include "loop_world.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

// Serves nobody, until it is told to stop.
struct IdleServer : ports::HttpServer {
    bool broken = false;
    bool stopped = false;

    Async<> serve(ports::HttpHandler, std::stop_token stop) override {
        if (broken) throw std::runtime_error("broken server");
        co_await coro::until(stop);
        stopped = true;
    }
    std::uint16_t port() const override { return 4711; }
};

// Real signals, and real time as far as any passes.
struct ServiceWorld {
    boost::asio::io_context io{1};
    ManualClock clock;
    std::unique_ptr<adapters::MemoryTelemetry> telemetry = adapters::make_memory_telemetry();
    runtime::Health health{clock};
    IdleServer server;

    int run(runtime::Body body) {
        return runtime::run_service({io, server, {}, health, *telemetry, clock, "test", 1s}, std::move(body));
    }
    template <class Event>
    bool has_told() const {
        return !told<Event>(*telemetry).empty();
    }
};

}  // namespace

TEST_CASE("service: a signal asks the body to stop; the server answers until the body has ended") {
    ServiceWorld w;
    bool served_while_draining = false;

    const auto exit_code = w.run([&](std::stop_token stop) -> Async<> {
        CHECK(w.health.phase() == runtime::Health::Phase::ready);
        std::raise(SIGTERM);
        co_await coro::until(stop);
        CHECK(w.health.phase() == runtime::Health::Phase::stopping);
        served_while_draining = !w.server.stopped;
    });

    CHECK(exit_code == 0);
    CHECK(served_while_draining);
    CHECK(w.server.stopped);
    CHECK(w.has_told<ports::ServiceStopped>());
}

TEST_CASE("service: a body that throws ends the daemon with 1, and says why") {
    ServiceWorld w;

    const auto exit_code = w.run([](std::stop_token) -> Async<> {
        throw std::runtime_error("broken body");
        co_return;
    });

    CHECK(exit_code == 1);
    CHECK(w.has_told<ports::ServiceFailed>());
    CHECK(w.server.stopped);
}

TEST_CASE("service: a server that fails stops the body, and the daemon ends with 1") {
    ServiceWorld w;
    w.server.broken = true;
    bool asked = false;

    const auto exit_code = w.run([&](std::stop_token stop) -> Async<> {
        co_await coro::until(stop);
        asked = true;
    });

    CHECK(exit_code == 1);
    CHECK(asked);
}

TEST_CASE("service: a body that ends by itself ends the daemon with 0") {
    ServiceWorld w;
    CHECK(w.run([](std::stop_token) -> Async<> { co_return; }) == 0);
    CHECK(w.has_told<ports::ServiceStopping>());
}
