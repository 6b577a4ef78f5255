// The life of a daemon: serves health and metrics, runs its loops until SIGTERM or SIGINT, lets them drain, ends with an exit code.
#pragma once
#include <boost/asio/io_context.hpp>
#include <functional>
#include <stop_token>
#include <string>

#include "coro/async.hpp"
#include "ports/clock.hpp"
#include "ports/http_server.hpp"
#include "ports/telemetry.hpp"
#include "runtime/health.hpp"

namespace crawler::runtime {

struct ServiceParts {
    boost::asio::io_context& io;
    ports::HttpServer& server;
    ports::HttpHandler answer;  // health, metrics and whatever else the daemon serves
    Health& health;
    ports::Telemetry& telemetry;
    const ports::Clock& clock;
    std::string world;                                 // which adapters surround it, for the record
    Duration server_drain = std::chrono::seconds{10};  // for answers in progress once the body has ended
};

// The daemon's own work. Takes nothing new once stop is requested, drains, then returns.
using Body = std::function<Async<>(std::stop_token stop)>;

// 0: stopped as asked. 1: the body or the server failed. A second signal ends the process at once with 128 + signal.
int run_service(ServiceParts parts, Body body);

}  // namespace crawler::runtime
