#include "domain/execution.hpp"

namespace crawler {
namespace {

double per_cent(std::int64_t part, std::int64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole) * 100;
}

}  // namespace

CrawlingScheduleExecution CrawlingScheduleExecution::begin(ExecutionId id, SellerId seller, TimePoint now) {
    return CrawlingScheduleExecution(
        State{.id = std::move(id), .seller = std::move(seller), .started_at = now, .updated_at = now});
}

Result<> CrawlingScheduleExecution::tasks_created(std::int64_t count_of_tasks, TimePoint now) {
    return count(ExecutionVerb::add_tasks, count_of_tasks, 0, 0, now);
}

Result<> CrawlingScheduleExecution::task_completed(std::int64_t follow_ups, TimePoint now) {
    constexpr auto verb = ExecutionVerb::complete_task;
    if (auto fits = check(verb); !fits) return fits;
    if (follow_ups < 0) return Error{Errc::invalid, "a task cannot have " + std::to_string(follow_ups) + " follow-ups"};
    if (open_tasks() < 1) return refuse(verb, "none is open");
    return count(verb, state_.total_tasks + follow_ups, state_.completed_tasks + 1, state_.failed_tasks, now);
}

Result<> CrawlingScheduleExecution::task_failed(TimePoint now) {
    constexpr auto verb = ExecutionVerb::fail_task;
    if (auto fits = check(verb); !fits) return fits;
    if (open_tasks() < 1) return refuse(verb, "none is open");
    return count(verb, state_.total_tasks, state_.completed_tasks, state_.failed_tasks + 1, now);
}

Result<> CrawlingScheduleExecution::task_revived(TimePoint now) {
    constexpr auto verb = ExecutionVerb::revive_task;
    if (auto fits = check(verb); !fits) return fits;
    if (state_.failed_tasks < 1) return refuse(verb, "none has failed");
    return count(verb, state_.total_tasks, state_.completed_tasks, state_.failed_tasks - 1, now);
}

Result<> CrawlingScheduleExecution::recount(std::int64_t total, std::int64_t completed, std::int64_t failed,
                                            TimePoint now) {
    return count(ExecutionVerb::recount, total, completed, failed, now);
}

Result<> CrawlingScheduleExecution::fail(std::string reason, TimePoint now) {
    if (auto moved = execution_table.move(state_.status, ExecutionVerb::fail, ExecutionStatus::failed, state_.id.value);
        !moved)
        return moved;
    state_.failure_reason = std::move(reason);
    state_.completed_at = now;
    state_.updated_at = now;
    return {};
}

Result<> CrawlingScheduleExecution::give_way(TimePoint stuck_if_before, TimePoint now) {
    if (state_.started_at < stuck_if_before) return fail("stuck beyond its deadline", now);
    return Error{Errc::conflict, "run " + state_.id.value + " of seller " + state_.seller.value() +
                                     " is under way since " + to_rfc3339(state_.started_at)};
}

Result<> CrawlingScheduleExecution::prove(CompletenessProof proof, TimePoint now) {
    if (auto moved = execution_table.move(state_.status, ExecutionVerb::prove, state_.status, state_.id.value); !moved)
        return moved;
    state_.proof = std::move(proof);
    state_.updated_at = now;
    return {};
}

double CrawlingScheduleExecution::progress_rate() const {
    if (state_.total_tasks == 0) return state_.status == ExecutionStatus::completed ? 100 : 0;
    return per_cent(state_.completed_tasks + state_.failed_tasks, state_.total_tasks);
}

double CrawlingScheduleExecution::success_rate() const {
    const auto processed = state_.completed_tasks + state_.failed_tasks;
    return processed == 0 ? 0 : per_cent(state_.completed_tasks, processed);
}

std::int64_t CrawlingScheduleExecution::open_tasks() const {
    return state_.total_tasks - state_.completed_tasks - state_.failed_tasks;
}

Result<> CrawlingScheduleExecution::check(ExecutionVerb verb) const {
    if (execution_table.allows(state_.status, verb)) return {};
    return execution_table.refusal(state_.status, verb, state_.id.value);
}

Error CrawlingScheduleExecution::refuse(ExecutionVerb verb, const char* why) const {
    auto refused = execution_table.refusal(state_.status, verb, state_.id.value);
    refused.detail.append(": ").append(why);
    return refused;
}

// The one place where counters change: a run is COMPLETED exactly while no task of it is open. One that was given up stays so,
// but the tasks that still end under it are counted: their results are as good as any.
Result<> CrawlingScheduleExecution::count(ExecutionVerb verb, std::int64_t total, std::int64_t completed,
                                          std::int64_t failed, TimePoint now) {
    if (auto fits = check(verb); !fits) return fits;
    if (total < 0 || completed < 0 || failed < 0 || completed > total - failed)
        return Error{Errc::invalid, "run " + state_.id.value + ": " + std::to_string(completed) + " completed and " +
                                        std::to_string(failed) + " failed tasks do not fit a total of " +
                                        std::to_string(total)};
    const bool given_up = state_.status == ExecutionStatus::failed;
    const bool closed = completed + failed == total;
    const bool reopened = state_.status == ExecutionStatus::completed && !closed;
    const auto to = given_up ? ExecutionStatus::failed
                    : closed ? ExecutionStatus::completed
                             : ExecutionStatus::in_progress;
    if (auto moved = execution_table.move(state_.status, verb, to, state_.id.value); !moved) return moved;
    state_.total_tasks = total;
    state_.completed_tasks = completed;
    state_.failed_tasks = failed;
    const bool was_closed = state_.completed_at.has_value();
    if (!given_up && closed != was_closed) state_.completed_at = closed ? std::optional(now) : std::nullopt;
    state_.updated_at = now;
    if (reopened) state_.proof.reset();
    return {};
}

}  // namespace crawler
