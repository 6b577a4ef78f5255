#include "domain/execution.hpp"

namespace crawler {

CrawlingScheduleExecution CrawlingScheduleExecution::begin(ExecutionId id, SellerId seller, TimePoint now) {
    return CrawlingScheduleExecution(
        State{.id = std::move(id), .seller = std::move(seller), .started_at = now, .updated_at = now});
}

Result<> CrawlingScheduleExecution::tasks_created(std::int64_t count, TimePoint now) {
    if (auto ok = require(ExecutionStatus::started, "add its first tasks"); !ok) return ok;
    state_.status = ExecutionStatus::in_progress;
    state_.total_tasks = count;
    close_when_done(now);
    return {};
}

Result<> CrawlingScheduleExecution::task_completed(std::int64_t follow_ups, TimePoint now) {
    if (auto ok = require(ExecutionStatus::in_progress, "count a completed task"); !ok) return ok;
    ++state_.completed_tasks;
    state_.total_tasks += follow_ups;
    close_when_done(now);
    return {};
}

Result<> CrawlingScheduleExecution::task_failed(TimePoint now) {
    if (auto ok = require(ExecutionStatus::in_progress, "count a failed task"); !ok) return ok;
    ++state_.failed_tasks;
    close_when_done(now);
    return {};
}

Result<> CrawlingScheduleExecution::require(ExecutionStatus status, const char* verb) const {
    if (state_.status == status) return {};
    return Error{Errc::conflict,
                 "run " + state_.id.value + " is " + std::string(to_string(state_.status)) + "; cannot " + verb};
}

void CrawlingScheduleExecution::close_when_done(TimePoint now) {
    state_.updated_at = now;
    if (state_.completed_tasks + state_.failed_tasks == state_.total_tasks) state_.status = ExecutionStatus::completed;
}

}  // namespace crawler
