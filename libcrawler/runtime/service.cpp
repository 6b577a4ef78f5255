#include "runtime/service.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <csignal>
#include <cstdlib>

#include "coro/group.hpp"
#include "runtime/loop.hpp"
#include "runtime/start.hpp"
#include "runtime/version.hpp"

namespace crawler::runtime {
namespace {

struct Life {
    ServiceParts parts;
    Body body;
    boost::asio::signal_set signals;  // listens from the start, so that no signal finds the default action
    std::stop_source stop;            // soft stop of the body
    std::stop_source server_stop;     // later: the server answers /readyz and /metrics while the body drains
    TimePoint stopping_at{};
    int exit_code = 0;

    void ask_to_stop(std::string reason);
    void fail(const std::exception_ptr& error);
    Async<> watch_signals();
    Async<> run_body();
    Async<> run();
};

void Life::ask_to_stop(std::string reason) {
    if (stop.stop_requested()) return;
    stopping_at = parts.clock.now();
    parts.health.stopping();
    parts.telemetry.emit(ports::ServiceStopping{std::move(reason)});
    stop.request_stop();
}

void Life::fail(const std::exception_ptr& error) {
    exit_code = 1;
    parts.telemetry.emit(ports::ServiceFailed{describe(error)});
    ask_to_stop("failure");
}

Async<> Life::watch_signals() {
    const int first = co_await signals.async_wait(boost::asio::use_awaitable);
    ask_to_stop(first == SIGTERM ? "SIGTERM" : "SIGINT");
    const int second = co_await signals.async_wait(boost::asio::use_awaitable);
    parts.telemetry.emit(ports::ServiceStopping{"a second signal: at once"});
    std::_Exit(128 + second);
}

Async<> Life::run_body() {
    try {
        co_await body(stop.get_token());
    } catch (...) {
        fail(std::current_exception());
    }
    if (!stop.stop_requested()) ask_to_stop("nothing left to do");
}

Async<> Life::run() {
    auto on_error = [this](const std::exception_ptr& error) { fail(error); };
    const auto executor = co_await boost::asio::this_coro::executor;
    coro::Group watching(executor, 1, on_error);
    coro::Group serving(executor, 1, on_error);
    watching.spawn(watch_signals());
    serving.spawn(parts.server.serve(parts.answer, server_stop.get_token()));

    parts.telemetry.emit(ports::ServiceStarted{std::string(version()), parts.server.port(), parts.world});
    parts.health.ready();
    co_await run_body();
    server_stop.request_stop();
    co_await serving.drain(parts.server_drain);
    co_await watching.drain(Duration::zero());  // last, so that a second signal counts until the end
}

}  // namespace

int run_service(ServiceParts parts, Body body) {
    std::signal(SIGPIPE, SIG_IGN);  // a log reader that goes away must not take the daemon with it
    auto& io = parts.io;
    Life life{std::move(parts), std::move(body), boost::asio::signal_set(io), {}, {}};
    starting("signals", [&life] {
        life.signals.add(SIGTERM);
        life.signals.add(SIGINT);
    });
    boost::asio::co_spawn(io, life.run(), [&life](const std::exception_ptr& error) {
        if (error) life.fail(error);
    });
    io.run();
    life.parts.telemetry.emit(ports::ServiceStopped{life.parts.clock.now() - life.stopping_at});
    return life.exit_code;
}

}  // namespace crawler::runtime
