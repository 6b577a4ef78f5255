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
        Duration soon = std::chrono::seconds{1};   // before what had no slot, or came too early, comes back
        RetryPolicy retry{.max_retries = 2};
    };

    ExecuteTask(Ports ports, SlotShelf& slots, Settings settings) : p_(ports), slots_(slots), settings_(settings) {}

    Async<Result<ports::Disposition>> handle(TaskId id);

  private:
    struct Answer {
        Result<ports::Page> page;
        TimePoint at;  // when it came, whatever took time afterwards: the later answer is the one that holds
    };
    Async<Result<ports::Disposition>> abandon(CrawlerTask task);
    Async<Answer> crawl(CrawlerTask task, ports::Slot slot);
    Async<Result<ports::Disposition>> complete(CrawlerTask task, ports::Page page, TimePoint fetched_at);
    Async<Result<ports::Disposition>> complete_as_gone(CrawlerTask task, TimePoint fetched_at);
    CrawledRaw kept(const CrawlerTask& task, int http_status, std::string body, TimePoint fetched_at);
    Async<Result<ports::Disposition>> fail(CrawlerTask task, Error why);
    Async<Result<ports::Disposition>> finish_failed(CrawlerTask task, Error why, std::optional<Duration> wait,
                                                    TimePoint now);
    Async<Result<ports::Disposition>> postpone(CrawlerTask task);
    Async<Result<ports::Disposition>> finish(ports::TaskOutcome outcome, ports::Event event);

    Ports p_;
    SlotShelf& slots_;
    Settings settings_;
};

}  // namespace crawler::application
