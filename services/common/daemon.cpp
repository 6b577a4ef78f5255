#include "common/daemon.hpp"

#include "adapters/system/system.hpp"
#include "runtime/start.hpp"
#include "runtime/version.hpp"

namespace crawler::services {

Daemon::Daemon(const CommonConfig& common, std::string name, std::vector<ports::Loop> loops)
    : config(common),
      clock(adapters::make_system_clock()),
      ids(adapters::make_uuid_generator(*clock)),
      telemetry(adapters::make_telemetry(config.log,
                                         {std::move(name), std::string(runtime::version()), std::move(loops)}, *clock)),
      server(runtime::starting("http", [this] { return open_server(); })),
      health(*clock),
      database(runtime::starting("database", [this] { return adapters::open_database(config.database, *telemetry); })) {
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

int Daemon::run(runtime::Body body) {
    auto answer = runtime::health_routes(health, [this] { return telemetry->scrape(); });
    const auto world = config.database.url.substr(0, config.database.url.find(':'));
    return runtime::run_service({io, *server, std::move(answer), health, *telemetry, *clock, world,
                                 config.http.drain + std::chrono::seconds{1}},
                                std::move(body));
}

}  // namespace crawler::services
