// The world around a daemon: its stores, in the database that the configuration names or in memory, and queues, marketplace and
// product server in this process.
// A daemon on its own would find nothing to do in it, so it can be given sample work: the real use cases of the stages before
// it are run once over a sample catalogue, and what they leave behind is what the daemon finds.
#pragma once
#include <boost/asio/io_context.hpp>
#include <stop_token>

#include "adapters/memory/memory.hpp"
#include "adapters/sql/sql.hpp"

namespace crawler::services {

struct MemoryConfig {
    int sample_products = 0;  // size of the sample catalogue; 0: an empty world
    Duration latency{};  // of every call to the marketplace, every send to a queue and every push to the product server
};

// The stages of the line, left to right.
enum class Stage { trigger, relay, crawl, absorb };

class MemoryWorld {
  public:
    // Without a database the stores are in memory.
    MemoryWorld(MemoryConfig config, adapters::SqlDatabase* database, Duration visibility, const ports::Clock& clock,
                ports::IdGenerator& ids, boost::asio::io_context& io);

    // Puts the sample work of that stage in front of the daemon; then the latency holds.
    // Ends early, with what there is by then, where stop is requested.
    Async<Result<>> prepare(Stage stage, std::stop_token stop);

  private:
    MemoryConfig config_;
    const ports::Clock& clock_;
    ports::IdGenerator& ids_;
    adapters::Catalogue catalogue_;
    adapters::MemoryDatabase memory_;

  public:
    const std::unique_ptr<ports::SellerStore> sellers;
    const std::unique_ptr<ports::ExecutionStore> executions;
    const std::unique_ptr<ports::TaskStore> tasks;
    const std::unique_ptr<ports::OutboxStore> task_outbox;
    const std::unique_ptr<ports::OutboxStore> product_outbox;
    const std::unique_ptr<ports::RawStore> raws;
    const std::unique_ptr<ports::ProductStore> products;
    const std::unique_ptr<ports::Leases> leases;
    const std::unique_ptr<ports::Retention> retention;
    const std::unique_ptr<adapters::MemoryQueue> trigger_queue;
    const std::unique_ptr<adapters::MemoryQueue> task_queue;
    const std::unique_ptr<ports::IdentityPool> identities;
    const std::unique_ptr<ports::Marketplace> marketplace;
    const std::unique_ptr<adapters::MemoryProductServer> product_server;
};

}  // namespace crawler::services
