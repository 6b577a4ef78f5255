// A database, as far as identities are concerned, for one command. Without keys: tokens can be dropped, but neither read nor written.
#pragma once
#include <boost/asio/io_context.hpp>

#include "adapters/memory/memory.hpp"
#include "adapters/sql/sql.hpp"
#include "adapters/system/system.hpp"
#include "coro/block_on.hpp"

namespace crawler::ctl {

struct OpenIdentities {
    boost::asio::io_context io{1};
    std::unique_ptr<ports::Clock> clock = adapters::make_system_clock();
    std::unique_ptr<ports::IdGenerator> ids = adapters::make_uuid_generator(*clock);
    std::unique_ptr<adapters::MemoryTelemetry> telemetry = adapters::make_memory_telemetry();  // nobody listens
    adapters::Database database;
    std::unique_ptr<ports::UserAgentStore> identities;
    std::unique_ptr<ports::RequestLedger> ledger;

    explicit OpenIdentities(const std::string& url)
        : database(adapters::open_database({.url = url, .min_connections = 1, .max_connections = 1}, *telemetry)),
          identities(adapters::make_sql_user_agent_store(*database, {})),
          ledger(adapters::make_sql_request_ledger(*database)) {}

    template <class T>
    T wait(Async<Result<T>> work) {
        auto result = coro::block_on(io, std::move(work));
        if (!result) throw std::runtime_error(result.error().detail);
        return *std::move(result);
    }
};

}  // namespace crawler::ctl
