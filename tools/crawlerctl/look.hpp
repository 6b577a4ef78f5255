// A look into the database of the fleet, for commands that change nothing. What it cannot read is thrown, as one line.
#pragma once
#include <boost/asio/io_context.hpp>
#include <stdexcept>

#include "adapters/memory/memory.hpp"
#include "adapters/sql/sql.hpp"
#include "adapters/system/system.hpp"
#include "coro/block_on.hpp"

namespace crawler::ctl {

struct Look {
    explicit Look(const std::string& url)
        : database(adapters::open_database({.url = url, .min_connections = 1, .max_connections = 1}, *telemetry)) {}

    boost::asio::io_context io{1};
    std::unique_ptr<ports::Clock> clock = adapters::make_system_clock();
    std::unique_ptr<ports::Telemetry> telemetry = adapters::make_memory_telemetry();  // nobody listens
    adapters::Database database;
    std::unique_ptr<ports::Overview> overview = adapters::make_sql_overview(*database);
    std::unique_ptr<ports::ProductStore> products = adapters::make_sql_product_store(*database);

    template <class T>
    T at(Async<Result<T>> question) {
        auto answer = coro::block_on(io, std::move(question));
        if (!answer) throw std::runtime_error(answer.error().detail);
        return *std::move(answer);
    }
};

}  // namespace crawler::ctl
