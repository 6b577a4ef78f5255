// Runs that are over and of which nothing is proven yet: what they left behind, and what follows from it.
#pragma once
#include <vector>

#include "coro/async.hpp"
#include "domain/run_evidence.hpp"
#include "ports/product_store.hpp"

namespace crawler::ports {

// Products that a complete listing does not have, each told so.
struct Delisting {
    CrawlingScheduleExecution run;  // whose listing it is, as it was read
    std::vector<Product> products;
    std::vector<ProductChange> history;
    std::vector<OutboxEntry> events;  // subject = item number
    std::vector<OutboxId> melted;     // entries that these events, or nothing at all, took the place of
};

class RunConclusions {
  public:
    virtual ~RunConclusions() = default;

    // Up to `limit` runs that are COMPLETED or FAILED, without a proof, and due; longest due first. None of them is due again before
    // `lease` is over, so that no two callers get the same one meanwhile.
    virtual Async<Result<std::vector<CrawlingScheduleExecution>>> claim(int limit, TimePoint now, Duration lease) = 0;
    // It is due again at that time. One that was proven or opened meanwhile stays as it is.
    virtual Async<Result<>> look_again(ExecutionId run, TimePoint at) = 0;
    // What is stored of it. not_found: there is no such run.
    virtual Async<Result<RunEvidence>> evidence(ExecutionId run) = 0;
    // The seller's products beyond `after`, in order, up to `limit`: those that are not DELETED and have not been told yet that the
    // listing which began at `listed_at` lacks them.
    virtual Async<Result<std::vector<ItemNo>>> on_record(SellerId seller, TimePoint listed_at, ItemNo after,
                                                         int limit) = 0;
    // Products, history and events: all of it or nothing. conflict: the run or a product was saved since it was read, a melted
    // entry was claimed since, or an id is taken.
    virtual Async<Result<>> delist(Delisting delisting) = 0;
    // The run with its proof. conflict: it was saved since it was read. not_found: there is no such run. invalid: nothing is proven.
    virtual Async<Result<>> conclude(CrawlingScheduleExecution run) = 0;
};

}  // namespace crawler::ports
