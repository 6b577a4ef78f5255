// Runs: one crawl of one seller's catalogue each.
#pragma once
#include <vector>

#include "coro/async.hpp"
#include "domain/crawler_task.hpp"
#include "domain/execution.hpp"
#include "domain/outbox.hpp"

namespace crawler::ports {

struct NewRun {
    Seller seller;  // with the total that the listing announced
    CrawlingScheduleExecution execution;
    std::vector<CrawlerTask> tasks;
    std::vector<OutboxEntry> outbox;  // one per task, subject = task id
};

class ExecutionStore {
  public:
    virtual ~ExecutionStore() = default;

    // All of it or nothing. conflict: the seller was saved by somebody else since it was read, or an id is taken.
    // not_found: there is no such seller.
    virtual Async<Result<>> start(NewRun run) = 0;
    // not_found: there is no such run.
    virtual Async<Result<CrawlingScheduleExecution>> find(ExecutionId id) = 0;
};

}  // namespace crawler::ports
