// Makes one request to the marketplace and stores what came of it. Used by the worker.
#pragma once
#include "application/attempt.hpp"
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
        ports::Pause& pause;
        ports::Telemetry& telemetry;
    };
    struct Settings {
        Duration lease = std::chrono::minutes{2};  // longer than all tries of an attempt usually take
        Duration soon = std::chrono::seconds{1};   // before what had no slot, or came too early, comes back
        RetryPolicy retry{.max_retries = 2, .first_wait = std::chrono::minutes{1}};  // of the task
        AttemptSettings attempt = {};  // of its requests, within one attempt
        // Of what came of it, where the database does not take it: about as long as one takes to come back.
        RetryPolicy storing{.max_retries = 5, .first_wait = std::chrono::milliseconds{500}};
    };

    ExecuteTask(Ports ports, SlotShelf& slots, Settings settings)
        : p_(ports),
          slots_(slots),
          settings_(settings),
          attempt_({ports.identities, ports.clock, ports.pause, ports.telemetry}, slots, settings.attempt) {}

    // Ack: the task has ended, or has an outbox entry that will bring it back. Without a slot it is postponed, which burns neither
    // a retry of the task nor a delivery of the message.
    Async<Result<ports::Disposition>> handle(TaskId id);

  private:
    struct Claimed {
        std::optional<CrawlerTask> task = std::nullopt;  // as it is stored; none: there is none
        bool is_ours = false;
    };
    // conflict: somebody saved it meanwhile; look again.
    Async<Result<Claimed>> claim(TaskId id);
    Async<Result<ports::Disposition>> begin(CrawlerTask task, std::optional<ports::Slot> slot);
    Async<Result<ports::Disposition>> work_on(CrawlerTask task, ports::Slot slot);
    void put_back(std::optional<ports::Slot> slot);
    Async<Result<ports::Disposition>> abandon(CrawlerTask task);
    Async<Result<ports::Disposition>> complete(CrawlerTask task, ports::Page page, TimePoint fetched_at);
    Async<Result<ports::Disposition>> complete_as_gone(CrawlerTask task, TimePoint fetched_at);
    CrawledRaw kept(const CrawlerTask& task, int http_status, std::string body, TimePoint fetched_at);
    Async<Result<ports::Disposition>> fail(CrawlerTask task, Error why);
    Async<Result<ports::Disposition>> finish_failed(CrawlerTask task, Error why, std::optional<Duration> wait,
                                                    TimePoint now);
    Async<Result<ports::Disposition>> postpone(CrawlerTask task);
    Async<Result<ports::Disposition>> finish(ports::TaskOutcome outcome, ports::Event event);
    Async<Result<std::size_t>> store(ports::TaskOutcome outcome);
    Result<ports::Disposition> unstored(const Error& why);

    Ports p_;
    SlotShelf& slots_;
    Settings settings_;
    Attempt attempt_;
};

}  // namespace crawler::application
