// What a command needs that works on the database itself, with no daemon in between: the database, its stores and what a use case
// wants around it. It lives as long as the command.
#pragma once
#include <boost/asio/io_context.hpp>
#include <string>

#include "adapters/sql/sql.hpp"
#include "adapters/system/system.hpp"
#include "coro/block_on.hpp"

namespace crawler::ctl {

class LocalMode {
  public:
    // Throws std::runtime_error, with one line for the operator, where the database cannot be opened.
    explicit LocalMode(const std::string& url)
        : database(adapters::open_database({.url = url, .min_connections = 1, .max_connections = 1}, telemetry)) {}

    template <class T>
    T run(Async<T> work) {
        return coro::block_on(io, std::move(work));
    }

    // Whoever runs a command reads its output, and nobody its events.
    struct Silence final : ports::Telemetry {
        void emit(const ports::Event&) noexcept override {}
    };

    boost::asio::io_context io{1};
    const std::unique_ptr<ports::Clock> clock = adapters::make_system_clock();
    const std::unique_ptr<ports::IdGenerator> ids = adapters::make_uuid_generator(*clock);
    Silence telemetry;
    const adapters::Database database;
};

}  // namespace crawler::ctl
