// What operators look at: how far runs are, what waits where and since when. Nothing here changes anything; each answer takes as long as
// what it tells of is many, however much is done with.
#pragma once
#include <vector>

#include "coro/async.hpp"
#include "domain/crawled_raw.hpp"
#include "domain/execution.hpp"
#include "domain/product.hpp"

namespace crawler::ports {

struct RunFilter {
    std::optional<SellerId> seller = std::nullopt;
    std::optional<ExecutionStatus> status = std::nullopt;
    int limit = 20;
};

struct TaskCount {
    TaskType type{};
    TaskStatus status{};
    std::int64_t tasks = 0;

    friend bool operator==(const TaskCount&, const TaskCount&) = default;
};

// What went wrong with so many tasks of a run: with those that FAILED, and those that are to be tried again.
struct TaskTrouble {
    TaskType type{};
    TaskStatus status{};
    std::optional<ErrorClass> error_class;
    std::string message;
    std::int64_t tasks = 0;

    friend bool operator==(const TaskTrouble&, const TaskTrouble&) = default;
};

struct RunView {
    CrawlingScheduleExecution run;
    std::vector<TaskCount> tasks;  // none that is 0, by type and status; fewer than the run counts once they are purged
    std::vector<TaskTrouble> troubles;  // the most frequent first
};

enum class OutboxName { tasks, schedules, products };
constexpr auto names(OutboxName) {
    return std::to_array<EnumName<OutboxName>>(
        {{OutboxName::tasks, "tasks"}, {OutboxName::schedules, "schedules"}, {OutboxName::products, "products"}});
}

// What of an outbox is not SENT.
struct OutboxView {
    OutboxName name{};
    std::int64_t pending = 0;
    std::int64_t processing = 0;
    std::int64_t failed = 0;
    std::int64_t dead = 0;
    std::optional<TimePoint> oldest_unsent = std::nullopt;  // when it was written; a DEAD one is given up, not unsent

    friend bool operator==(const OutboxView&, const OutboxView&) = default;
};

// What of the answers is not PROCESSED.
struct RawView {
    std::int64_t pending = 0;
    std::int64_t failed = 0;
    std::int64_t quarantined = 0;
    std::optional<TimePoint> oldest_waiting = std::nullopt;  // when it was fetched, of the first two

    friend bool operator==(const RawView&, const RawView&) = default;
};

struct SellerView {
    Seller seller;
    std::int64_t incomplete = 0;  // products, by their status
    std::int64_t live = 0;
    std::int64_t deleted = 0;
    std::optional<CrawlingScheduleExecution> last_run;
};

class Overview {
  public:
    virtual ~Overview() = default;

    // The newest first.
    virtual Async<Result<std::vector<CrawlingScheduleExecution>>> runs(RunFilter filter) = 0;
    // With up to so many troubles. not_found: there is no such run.
    virtual Async<Result<RunView>> run(ExecutionId id, int most_troubles) = 0;
    // All there are.
    virtual Async<Result<std::vector<OutboxView>>> outboxes() = 0;
    virtual Async<Result<RawView>> raws() = 0;
    // Those whose id comes after that one, in the order of their ids, up to `limit`; empty is before all of them.
    virtual Async<Result<std::vector<SellerView>>> sellers(std::string after, int limit) = 0;
};

}  // namespace crawler::ports
