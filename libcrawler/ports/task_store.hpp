// Crawler tasks and what comes of them.
#pragma once
#include <vector>

#include "coro/async.hpp"
#include "domain/crawled_raw.hpp"
#include "domain/outbox.hpp"
#include "ports/request_ledger.hpp"

namespace crawler::ports {

struct TaskOutcome {
    CrawlerTask task;  // COMPLETED, FAILED or RETRY
    std::vector<CrawledRaw> raws;
    std::vector<CrawlerTask> follow_ups;
    std::vector<OutboxEntry> outbox;  // for the follow-ups, or for the retry of the task itself
    std::optional<LedgerStamp> stamp =
        std::nullopt;  // of the request that it took; a reservation nobody knows is let pass
};

class TaskStore {
  public:
    virtual ~TaskStore() = default;

    // not_found: there is no such task.
    virtual Async<Result<CrawlerTask>> load(TaskId id) = 0;
    // The task as stored, with its new revision: what must be handed to the next save or to finish. conflict: somebody
    // saved it since it was read. not_found: there is no such task.
    virtual Async<Result<CrawlerTask>> save(CrawlerTask task) = 0;
    // The task's new state, its raws, follow-ups, outbox entries and the counters of its run: all of it or nothing.
    // conflict: somebody saved the task since it was read, its run is over, or an id is taken. not_found: there is no
    // such task or run. invalid: the task is in no state to be finished, or one that was not COMPLETED has follow-ups.
    virtual Async<Result<>> finish(TaskOutcome outcome) = 0;
};

}  // namespace crawler::ports
