// What every daemon is made of besides its own work: I/O thread, clock, ids, telemetry, HTTP server, health and the database.
#pragma once
#include <boost/asio/io_context.hpp>

#include "common/config.hpp"
#include "ports/clock.hpp"
#include "ports/http_server.hpp"
#include "ports/id_generator.hpp"
#include "runtime/health.hpp"
#include "runtime/loop.hpp"
#include "runtime/service.hpp"

namespace crawler::services {

struct Daemon {
    Daemon(const CommonConfig& config, std::string name, std::vector<ports::Loop> loops);

    // What a loop of this daemon carries with it.
    runtime::LoopContext loop(ports::Loop name);
    // Serves and works until stopped; the exit code.
    int run(runtime::Body body);

    const CommonConfig& config;
    boost::asio::io_context io{1};
    const std::unique_ptr<ports::Clock> clock;
    const std::unique_ptr<ports::IdGenerator> ids;
    const std::unique_ptr<adapters::PrometheusTelemetry> telemetry;
    const std::unique_ptr<ports::HttpServer> server;
    runtime::Health health;
    const adapters::Database database;

  private:
    std::unique_ptr<ports::HttpServer> open_server();
};

}  // namespace crawler::services
