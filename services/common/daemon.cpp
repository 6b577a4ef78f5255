#include "common/daemon.hpp"

#include <stdexcept>

#include "adapters/system/system.hpp"
#include "runtime/start.hpp"
#include "runtime/version.hpp"

namespace crawler::services {
namespace {

// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): Daemon::run waits for it
Async<> work(Daemon& daemon, Stage sample, const runtime::Body& body, std::stop_token stop) {
    const auto prepared = co_await daemon.world.prepare(sample, stop);
    if (!prepared) throw std::runtime_error("the sample work cannot be prepared: " + prepared.error().detail);
    co_await body(std::move(stop));
}

// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): both outlive the loop
Async<Result<runtime::Admission>> admit(application::SlotShelf& slots, const ports::Clock& clock, int wanted) {
    const auto stock = co_await slots.fill(wanted);
    if (!stock) co_return stock.error();
    if (stock->slots > 0) co_return runtime::Admission{.allowed = stock->slots};
    co_return runtime::Admission{.ask_again = *stock->next_at - clock.now()};
}

}  // namespace

Daemon::Daemon(const CommonConfig& common, std::string name, std::vector<ports::Loop> loops, Duration visibility)
    : config(common),
      clock(adapters::make_system_clock()),
      ids(adapters::make_uuid_generator(*clock)),
      telemetry(adapters::make_telemetry(config.log,
                                         {std::move(name), std::string(runtime::version()), std::move(loops)}, *clock)),
      server(runtime::starting("http", [this] { return open_server(); })),
      health(*clock),
      database(runtime::starting("database", [this] { return open_database(); })),
      world(config.memory, database.get(), visibility, *clock, *ids, io) {}

adapters::Database Daemon::open_database() {
    if (is_in_memory(config.database)) return nullptr;
    return adapters::open_database(config.database, *telemetry);
}

std::unique_ptr<ports::HttpServer> Daemon::open_server() {
    auto http = config.http;
    http.on_error = [this](const std::exception_ptr& error) {
        telemetry->emit(ports::HttpServerFailed{runtime::describe(error)});
    };
    return adapters::open_http_server(http, io);
}

runtime::LoopContext Daemon::loop(ports::Loop name) {
    auto& pulse = health.add(std::string(to_string(name)), config.longest_silence);
    return {name, *telemetry, *clock, pulse};
}

int Daemon::run(Stage sample, runtime::Body body) {
    auto answer = runtime::health_routes(health, [this] { return telemetry->scrape(); });
    auto prepared = [this, sample, &body](std::stop_token stop) { return work(*this, sample, body, std::move(stop)); };
    return runtime::run_service(
        {io, *server, std::move(answer), health, *telemetry, *clock,
         is_in_memory(config.database) ? "memory" : "database", config.http.drain + std::chrono::seconds{1}},
        prepared);
}

runtime::Admit admit_by_slots(application::SlotShelf& slots, const ports::Clock& clock) {
    return [&slots, &clock](int wanted) { return admit(slots, clock, wanted); };
}

}  // namespace crawler::services
