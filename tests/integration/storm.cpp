// One process of the claim storm: inserts runs, claims and settles their outbox entries, or deletes what was sent. See
// claim_storm_test.cpp.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "adapters/memory/memory.hpp"
#include "adapters/sql/sql.hpp"
#include "adapters/system/system.hpp"
#include "coro/block_on.hpp"
#include "support/builders.hpp"

namespace {

using namespace crawler;
using namespace crawler::test;

struct Storm {
    std::string url;
    std::string role;
    std::filesystem::path folder;  // what happened, and the sign that the inserter is done
    int rows = 200'000;
    int batch = 200;
    std::unique_ptr<ports::Clock> clock = adapters::make_system_clock();
    std::unique_ptr<ports::IdGenerator> ids = adapters::make_uuid_generator(*clock);
    std::unique_ptr<adapters::MemoryTelemetry> telemetry = adapters::make_memory_telemetry();
    adapters::Database database;

    void open() {
        database = adapters::open_database({.url = url, .min_connections = 1, .max_connections = 2}, *telemetry);
    }
    bool all_inserted() const { return std::filesystem::exists(folder / "inserted"); }
    bool all_sent() const { return std::filesystem::exists(folder / "sent"); }
};

// Runs of several sellers, a thousand tasks each.
Async<int> insert(Storm& storm) {
    const auto sellers = adapters::make_sql_seller_store(*storm.database);
    const auto executions = adapters::make_sql_execution_store(*storm.database);
    for (int made = 0; made < storm.rows; made += 1000) {
        const auto name = "shop-" + std::to_string(made / 1000 % 7);
        ports::SellerAndSchedule both{a_seller(name), a_schedule("s-" + name).of(name)};
        auto order = an_entry("order-" + name, name).in_lane(name).build();
        (void)co_await sellers->add(both, order);  // a conflict is welcome
        auto seller = co_await sellers->find(seller_id(name));
        if (!seller) co_return 1;
        const auto now = storm.clock->now();
        auto run = CrawlingScheduleExecution::begin(storm.ids->make<ExecutionId>(), seller_id(name), now);
        if (!run.tasks_created(1000, now)) co_return 1;
        ports::NewRun started{*seller, run, {}, {}, TimePoint::max()};  // the run before it gives way
        for (int i = 0; i < 1000; ++i) {
            auto task = CrawlerTask::create(storm.ids->make<TaskId>(), run.state().id, seller_id(name),
                                            a_listing_url(i, name), now);
            started.outbox.push_back(task.publication(storm.ids->make<OutboxId>(), now));
            started.tasks.push_back(std::move(task));
        }
        const auto stored = co_await executions->start(std::move(started));
        if (!stored) {
            std::cerr << "start: " << stored.error().detail << "\n";
            co_return 1;
        }
    }
    std::ofstream(storm.folder / "inserted") << "done\n";
    co_return 0;
}

Async<int> claim(Storm& storm) {
    const auto outbox = adapters::make_sql_task_outbox(*storm.database);
    std::ofstream log(storm.folder / ("claimed-" + std::to_string(::getpid())));
    for (;;) {
        const bool is_last = storm.all_inserted();
        auto claimed = co_await outbox->claim(storm.batch, storm.clock->now(), std::chrono::minutes{5});
        if (!claimed) {
            std::cerr << "claim: " << claimed.error().detail << "\n";
            co_return 1;
        }
        if (claimed->empty() && is_last) break;
        for (auto& entry : *claimed) {
            log << entry.state().id.value << "\n";
            (void)entry.mark_sent();
        }
        const auto count = claimed->size();
        const auto settled = co_await outbox->settle(std::move(*claimed), storm.clock->now());
        if (!settled || *settled != count) {
            std::cerr << "settle: " << (settled ? "claims were lost" : settled.error().detail) << "\n";
            co_return 1;
        }
    }
    std::size_t retried = 0;
    for (const auto& event : storm.telemetry->events())
        retried += std::holds_alternative<ports::TransactionRetried>(event) ? 1 : 0;
    std::cout << "transactions begun anew: " << retried << "\n";
    co_return 0;
}

Async<int> purge(Storm& storm) {
    const auto retention = adapters::make_sql_retention(*storm.database);
    std::size_t deleted = 0;
    for (;;) {
        const bool is_last = storm.all_sent();
        const auto gone = co_await retention->purge(ports::Expendable::sent_tasks, storm.clock->now(), 500);
        if (!gone) {
            std::cerr << "purge: " << gone.error().detail << "\n";
            co_return 1;
        }
        deleted += *gone;
        if (*gone == 0 && is_last) break;
    }
    std::cout << "deleted " << deleted << "\n";
    co_return 0;
}

}  // namespace

int main(int argc, char** argv) {
    Storm storm;
    CLI::App app{"One process of the claim storm."};
    app.add_option("--database", storm.url)->required();
    app.add_option("--folder", storm.folder)->required();
    app.add_option("--rows", storm.rows);
    app.add_option("--batch", storm.batch);
    app.add_option("role", storm.role)->required()->check(CLI::IsMember({"insert", "claim", "purge"}));
    CLI11_PARSE(app, argc, argv);
    storm.open();
    boost::asio::io_context io{1};
    if (storm.role == "insert") return coro::block_on(io, insert(storm));
    if (storm.role == "claim") return coro::block_on(io, claim(storm));
    return coro::block_on(io, purge(storm));
}
