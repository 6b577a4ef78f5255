// Runs: one crawl of one seller's catalogue each.
#pragma once
#include <optional>
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
    // An open run of the seller that was started before this is given up: it is FAILED, as stuck beyond its deadline.
    TimePoint give_up_before = TimePoint::min();
};

class ExecutionStore {
  public:
    virtual ~ExecutionStore() = default;

    // All of it or nothing. conflict: another run of the seller is open, the seller was saved by somebody else since it was read,
    // or an id is taken. not_found: there is no such seller.
    virtual Async<Result<>> start(NewRun run) = 0;
    // not_found: there is no such run.
    virtual Async<Result<CrawlingScheduleExecution>> find(ExecutionId id) = 0;
    // The run of the seller that is STARTED or IN_PROGRESS, if one is; there is no more than one.
    virtual Async<Result<std::optional<CrawlingScheduleExecution>>> open_run(SellerId seller) = 0;
};

}  // namespace crawler::ports
