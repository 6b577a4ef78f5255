// Makes one request to the marketplace and stores what came of it. Used by the worker.
#pragma once
#include "application/slot_shelf.hpp"
#include "domain/retry_policy.hpp"
#include "ports/clock.hpp"
#include "ports/id_generator.hpp"
#include "ports/marketplace.hpp"
#include "ports/message_queue.hpp"
#include "ports/task_store.hpp"
#include "ports/telemetry.hpp"

namespace crawler::application {

class ExecuteTask {
  public:
    struct Ports {
        ports::TaskStore& tasks;
        ports::IdentityPool& identities;
        ports::Marketplace& marketplace;
        ports::IdGenerator& ids;
        const ports::Clock& clock;
        ports::Telemetry& telemetry;
    };
    struct Settings {
        Duration lease = std::chrono::minutes{2};  // longer than a request can take
        Duration soon = std::chrono::seconds{1};   // before a message comes back that had no slot, or came too early
        RetryPolicy retry{.max_retries = 2};
    };

    ExecuteTask(Ports ports, SlotShelf& slots, Settings settings) : p_(ports), slots_(slots), settings_(settings) {}

    Async<Result<ports::Disposition>> handle(TaskId id);

  private:
    Async<Result<ports::Page>> crawl(CrawlerTask task, ports::Slot slot);
    Async<Result<ports::Disposition>> complete(CrawlerTask task, ports::Page page);
    Async<Result<ports::Disposition>> give_up(CrawlerTask task, Error why);

    Ports p_;
    SlotShelf& slots_;
    Settings settings_;
};

}  // namespace crawler::application
