// One run over one seller's catalogue: how many tasks it has and how many are done. Finished when every task is terminal.
#pragma once
#include "domain/ids.hpp"
#include "domain/seller.hpp"

namespace crawler {

enum class ExecutionStatus { started, in_progress, completed, failed };
constexpr auto names(ExecutionStatus) {
    return std::to_array<EnumName<ExecutionStatus>>({{ExecutionStatus::started, "STARTED"},
                                                     {ExecutionStatus::in_progress, "IN_PROGRESS"},
                                                     {ExecutionStatus::completed, "COMPLETED"},
                                                     {ExecutionStatus::failed, "FAILED"}});
}

class CrawlingScheduleExecution {
  public:
    struct State {
        ExecutionId id;
        SellerId seller;
        ExecutionStatus status = ExecutionStatus::started;
        std::int64_t total_tasks = 0;
        std::int64_t completed_tasks = 0;
        std::int64_t failed_tasks = 0;
        TimePoint started_at;
        TimePoint updated_at;
    };

    static CrawlingScheduleExecution begin(ExecutionId id, SellerId seller, TimePoint now);
    static CrawlingScheduleExecution restore(State state) { return CrawlingScheduleExecution(std::move(state)); }

    // The first tasks exist. A run without tasks is finished at once.
    Result<> tasks_created(std::int64_t count, TimePoint now);
    // One task reached its end, leaving `follow_ups` new ones.
    Result<> task_completed(std::int64_t follow_ups, TimePoint now);
    Result<> task_failed(TimePoint now);

    const State& state() const { return state_; }

  private:
    explicit CrawlingScheduleExecution(State state) : state_(std::move(state)) {}
    Result<> require(ExecutionStatus status, const char* verb) const;
    void close_when_done(TimePoint now);
    State state_;
};

}  // namespace crawler
