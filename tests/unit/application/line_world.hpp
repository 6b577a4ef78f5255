// The whole line on memory adapters and virtual time: what the tests of the use cases share.
#pragma once
#include <boost/asio/io_context.hpp>
#include <string>
#include <vector>

#include "adapters/memory/memory.hpp"
#include "application/absorb_raw.hpp"
#include "application/change_seller.hpp"
#include "application/execute_task.hpp"
#include "application/push_products.hpp"
#include "application/register_seller.hpp"
#include "application/relay_scheduler_outbox.hpp"
#include "application/relay_task_outbox.hpp"
#include "application/trigger_crawl.hpp"
#include "support/builders/seller.hpp"
#include "support/clocks.hpp"
#include "support/pauses.hpp"
#include "support/run.hpp"
#include "support/told.hpp"

namespace crawler::test {

struct LineWorld {
    int identity_count = 2;
    boost::asio::io_context io{1};
    coro::VirtualTime time{io};
    VirtualClock clock{time};
    adapters::Faults faults;
    adapters::Catalogue catalogue;
    adapters::MemoryDatabase database{&faults};
    std::unique_ptr<ports::IdGenerator> ids = adapters::make_counting_ids("id-");
    std::unique_ptr<adapters::MemoryTelemetry> telemetry = adapters::make_memory_telemetry();
    std::unique_ptr<ports::SellerStore> sellers = adapters::make_memory_seller_store(database);
    std::unique_ptr<ports::ExecutionStore> executions = adapters::make_memory_execution_store(database);
    std::unique_ptr<ports::TaskStore> tasks = adapters::make_memory_task_store(database);
    std::unique_ptr<ports::OutboxStore> task_outbox = adapters::make_memory_task_outbox(database);
    std::unique_ptr<ports::OutboxStore> scheduler_outbox = adapters::make_memory_scheduler_outbox(database);
    std::unique_ptr<ports::ScheduleRules> rules = adapters::make_memory_schedule_rules(database, clock);
    std::unique_ptr<ports::OutboxStore> product_outbox = adapters::make_memory_product_outbox(database);
    std::unique_ptr<ports::RawStore> raws = adapters::make_memory_raw_store(database);
    std::unique_ptr<ports::ProductStore> products = adapters::make_memory_product_store(database);
    std::unique_ptr<ports::Leases> leases = adapters::make_memory_leases(database, clock);
    std::unique_ptr<adapters::MemoryQueue> queue = adapters::make_memory_queue({}, clock, io.get_executor(), &faults);
    std::unique_ptr<ports::IdentityPool> identities =
        adapters::make_memory_identity_pool({.identities = identity_count,
                                             .limit = 80,
                                             .window = std::chrono::hours{1},
                                             .spacing = std::chrono::seconds{1}},
                                            clock, &faults);
    std::unique_ptr<ports::Marketplace> marketplace = adapters::make_memory_marketplace(catalogue, {}, &faults);
    std::unique_ptr<adapters::MemoryProductServer> server = adapters::make_memory_product_server({}, &faults);

    RememberedPause pause;
    // Waits that a test can count by seconds.
    RetryPolicy few_retries{.max_retries = 5};
    application::OutboxSettings quick{.retry = few_retries};

    application::RelayTaskOutbox relay{{*task_outbox, *queue, *identities, clock, *telemetry}, {.outbox = quick}};
    application::SlotShelf slots{*identities, clock, std::chrono::seconds{10}};
    application::RegisterSeller registration{{*sellers, *ids, clock}};
    application::ChangeSeller change{{*sellers, *ids, clock}};
    application::RelaySchedulerOutbox schedule_relay{{*scheduler_outbox, *rules, clock, *telemetry}, quick};
    application::TriggerCrawl trigger{
        {*sellers, *executions, *leases, *identities, *marketplace, *ids, clock, pause, *telemetry}, slots, {}};
    application::ExecuteTask execute{{*tasks, *identities, *marketplace, *ids, clock, pause, *telemetry},
                                     slots,
                                     {.retry = {.max_retries = 2}, .storing = {.max_retries = 0}}};
    application::AbsorbRaw absorb{{*raws, *products, *marketplace, *ids, clock, *telemetry}, {}};
    application::PushProducts push{{*product_outbox, *server, clock, *telemetry}, {.most_unheard = 100}};

    template <class T>
    T run(Async<T> work) {
        return test::run(io, time, std::move(work));
    }

    // A seller who is on record and has that many items on sale.
    void enroll(const std::string& name, int items);
    // Triggers a crawl, with a slot at hand.
    Result<ports::Disposition> begin_crawl(const std::string& seller);
    // The deliveries that are there now.
    std::vector<ports::Delivery> receive();
    // Relays and executes until neither finds anything, letting time pass where the budget or a back-off wants it.
    void crawl_everything();
    // Absorbs and pushes until neither finds anything.
    void sync_everything();

    template <class Event>
    std::vector<Event> events() const {
        return told<Event>(*telemetry);
    }
};

}  // namespace crawler::test
