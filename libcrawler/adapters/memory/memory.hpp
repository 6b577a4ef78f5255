// Every port in memory: for tests, for one process on its own, and as the reference that the contract suites are
// written on. One I/O thread; nothing here outlives the process. What a factory takes by reference must outlive what it
// makes.
#pragma once
#include <functional>
#include <map>
#include <memory>

#include "adapters/memory/faults.hpp"
#include "adapters/memory/identity_pool.hpp"
#include "adapters/memory/queue.hpp"
#include "domain/firing.hpp"
#include "ports/clock.hpp"
#include "ports/execution_store.hpp"
#include "ports/http_client.hpp"
#include "ports/id_generator.hpp"
#include "ports/lease.hpp"
#include "ports/marketplace.hpp"
#include "ports/outbox_store.hpp"
#include "ports/overview.hpp"
#include "ports/product_server.hpp"
#include "ports/product_store.hpp"
#include "ports/raw_store.hpp"
#include "ports/request_ledger.hpp"
#include "ports/retention.hpp"
#include "ports/run_conclusions.hpp"
#include "ports/schedule_rules.hpp"
#include "ports/scheduler.hpp"
#include "ports/seller_store.hpp"
#include "ports/task_store.hpp"
#include "ports/telemetry.hpp"
#include "ports/user_agent_store.hpp"

namespace crawler::adapters {

// The tables that the stores share: one object is one database.
class MemoryDatabase {
  public:
    explicit MemoryDatabase(Faults* faults = nullptr);
    ~MemoryDatabase();
    MemoryDatabase(const MemoryDatabase&) = delete;
    MemoryDatabase& operator=(const MemoryDatabase&) = delete;

    struct Tables;
    Tables& tables() { return *tables_; }

  private:
    std::unique_ptr<Tables> tables_;
};

std::unique_ptr<ports::SellerStore> make_memory_seller_store(MemoryDatabase& database);
std::unique_ptr<ports::ExecutionStore> make_memory_execution_store(MemoryDatabase& database);
std::unique_ptr<ports::TaskStore> make_memory_task_store(MemoryDatabase& database);
std::unique_ptr<ports::OutboxStore> make_memory_task_outbox(MemoryDatabase& database);
std::unique_ptr<ports::OutboxStore> make_memory_scheduler_outbox(MemoryDatabase& database);
std::unique_ptr<ports::OutboxStore> make_memory_product_outbox(MemoryDatabase& database);
std::unique_ptr<ports::RawStore> make_memory_raw_store(MemoryDatabase& database);
std::unique_ptr<ports::ProductStore> make_memory_product_store(MemoryDatabase& database);
std::unique_ptr<ports::UserAgentStore> make_memory_user_agent_store(MemoryDatabase& database);
std::unique_ptr<ports::RequestLedger> make_memory_request_ledger(MemoryDatabase& database);
std::unique_ptr<ports::Leases> make_memory_leases(MemoryDatabase& database, const ports::Clock& clock);
std::unique_ptr<ports::Retention> make_memory_retention(MemoryDatabase& database);
std::unique_ptr<ports::RunConclusions> make_memory_run_conclusions(MemoryDatabase& database);
std::unique_ptr<ports::Overview> make_memory_overview(MemoryDatabase& database);

std::unique_ptr<ports::ScheduleRules> make_memory_schedule_rules(MemoryDatabase& database, const ports::Clock& clock);
// A firing and its message are one step as long as the queue takes what it is sent.
std::unique_ptr<ports::Scheduler> make_memory_scheduler(MemoryDatabase& database, ports::MessageQueue& triggers,
                                                        CatchUpPolicy policy = {});

using HttpScript = std::function<Result<ports::HttpResponse>(const ports::HttpRequest&)>;
std::unique_ptr<ports::HttpClient> make_memory_http_client(HttpScript script, Faults* faults = nullptr);

struct CatalogueItem {
    ItemNo no = 0;
    std::string name;
    std::int64_t price = 0;
    std::vector<std::string> options;
};
// What the marketplace has on sale, by seller id. Pages are numbered from 0. It may change under a running marketplace.
using Catalogue = std::map<std::string, std::vector<CatalogueItem>>;
std::unique_ptr<ports::Marketplace> make_memory_marketplace(const Catalogue& catalogue, Duration latency = {},
                                                            Faults* faults = nullptr);

class MemoryProductServer : public ports::ProductServer {
  public:
    virtual std::optional<std::string> payload_of(const std::string& subject) const = 0;  // the last one accepted
    virtual std::size_t accepted() const = 0;                                             // each idempotency key once
    virtual std::size_t pushes(const std::string& idempotency_key) const = 0;             // however often it came
};
std::unique_ptr<MemoryProductServer> make_memory_product_server(Duration latency = {}, Faults* faults = nullptr);

class MemoryTelemetry : public ports::Telemetry {
  public:
    virtual const std::vector<ports::Event>& events() const = 0;
};
std::unique_ptr<MemoryTelemetry> make_memory_telemetry();

// <prefix>000001, <prefix>000002, ...: readable, and sorted as the port wants it.
std::unique_ptr<ports::IdGenerator> make_counting_ids(std::string prefix);

}  // namespace crawler::adapters
