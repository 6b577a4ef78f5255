// Crawler tasks and what comes of them.
#pragma once
#include <set>
#include <string>
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
    std::optional<std::int64_t> announced = std::nullopt;  // by a listing: how many items it has in all

    // Drops the follow-ups that ask what is in `asked`, or what one before them asks, and their outbox entries. For the stores.
    void drop_repeated(std::set<std::string> asked);
};

class TaskStore {
  public:
    virtual ~TaskStore() = default;

    // not_found: there is no such task.
    virtual Async<Result<CrawlerTask>> load(TaskId id) = 0;
    // The task as stored, with its new revision: what must be handed to the next save or to finish. conflict: somebody
    // saved it since it was read. not_found: there is no such task.
    virtual Async<Result<CrawlerTask>> save(CrawlerTask task) = 0;
    // The task's new state, its raws, follow-ups, outbox entries, the counters of its run and what was announced to it: all of it or
    // nothing. A follow-up that asks what another task of the run asks, or a follow-up before it, is dropped with its outbox entry
    // and not counted: items move while a listing is read. How many follow-ups were added.
    // conflict: somebody saved the task since it was read, its run is over, or an id is taken. not_found: there is no
    // such task or run. invalid: the task is in no state to be finished, or one that was not COMPLETED has follow-ups.
    virtual Async<Result<std::size_t>> finish(TaskOutcome outcome) = 0;
};

}  // namespace crawler::ports
