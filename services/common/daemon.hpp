// What every daemon is made of besides its own work: I/O thread, clock, ids, telemetry, HTTP server, health and the world around it.
#pragma once
#include <boost/asio/io_context.hpp>

#include "application/slot_shelf.hpp"
#include "common/config.hpp"
#include "runtime/consumer.hpp"
#include "runtime/health.hpp"
#include "runtime/loop.hpp"
#include "runtime/service.hpp"

namespace crawler::services {

struct Daemon {
    Daemon(const CommonConfig& config, std::string name, std::vector<ports::Loop> loops,
           Duration visibility = QueueConfig{}.visibility);

    // What a loop of this daemon carries with it.
    runtime::LoopContext loop(ports::Loop name);
    // Serves and works until stopped; the exit code.
    int run(Stage sample, runtime::Body body);

    const CommonConfig& config;
    boost::asio::io_context io{1};
    const std::unique_ptr<ports::Clock> clock;
    const std::unique_ptr<ports::IdGenerator> ids;
    const std::unique_ptr<adapters::PrometheusTelemetry> telemetry;
    const std::unique_ptr<ports::HttpServer> server;
    runtime::Health health;
    const adapters::Database database;  // none where the stores are in memory
    MemoryWorld world;

  private:
    adapters::Database open_database();
    std::unique_ptr<ports::HttpServer> open_server();
};

// What the request budget cannot serve is not taken off a queue: slots come first.
runtime::Admit admit_by_slots(application::SlotShelf& slots, const ports::Clock& clock);

}  // namespace crawler::services
