// One run over one seller's catalogue: how many tasks it has, how many are done, and how whole what it brought is.
// Finished when every task is terminal. Kept for ever.
#pragma once
#include <algorithm>
#include <optional>

#include "domain/completeness.hpp"
#include "domain/seller.hpp"

namespace crawler {

enum class ExecutionStatus { started, in_progress, completed, failed };
constexpr auto names(ExecutionStatus) {
    return std::to_array<EnumName<ExecutionStatus>>({{ExecutionStatus::started, "STARTED"},
                                                     {ExecutionStatus::in_progress, "IN_PROGRESS"},
                                                     {ExecutionStatus::completed, "COMPLETED"},
                                                     {ExecutionStatus::failed, "FAILED"}});
}

enum class ExecutionVerb { add_tasks, complete_task, fail_task, revive_task, recount, fail, prove };
constexpr auto names(ExecutionVerb) {
    return std::to_array<EnumName<ExecutionVerb>>({{ExecutionVerb::add_tasks, "add tasks to"},
                                                   {ExecutionVerb::complete_task, "count a completed task of"},
                                                   {ExecutionVerb::fail_task, "count a failed task of"},
                                                   {ExecutionVerb::revive_task, "revive a task of"},
                                                   {ExecutionVerb::recount, "recount"},
                                                   {ExecutionVerb::fail, "fail"},
                                                   {ExecutionVerb::prove, "prove the completeness of"}});
}

inline constexpr StateTable execution_table{
    "CrawlingScheduleExecution", ExecutionStatus::started, [] {
        using S = ExecutionStatus;
        using V = ExecutionVerb;
        constexpr std::string_view some_open = "tasks are open", none_open = "every task is terminal";
        constexpr std::string_view late = "it ended after its run was given up";
        return std::to_array<Transition<S, V>>({{S::started, V::add_tasks, S::in_progress, "there are tasks"},
                                                {S::started, V::add_tasks, S::completed, "no tasks"},
                                                {S::in_progress, V::complete_task, S::in_progress, some_open},
                                                {S::in_progress, V::complete_task, S::completed, none_open},
                                                {S::in_progress, V::fail_task, S::in_progress, some_open},
                                                {S::in_progress, V::fail_task, S::completed, none_open},
                                                {S::in_progress, V::revive_task, S::in_progress},
                                                {S::completed, V::revive_task, S::in_progress},
                                                {S::failed, V::complete_task, S::failed, late},
                                                {S::failed, V::fail_task, S::failed, late},
                                                {S::failed, V::revive_task, S::failed},
                                                {S::in_progress, V::recount, S::in_progress, some_open},
                                                {S::in_progress, V::recount, S::completed, none_open},
                                                {S::completed, V::recount, S::in_progress, some_open},
                                                {S::completed, V::recount, S::completed, none_open},
                                                {S::failed, V::recount, S::failed},
                                                {S::started, V::fail, S::failed, "could not start"},
                                                {S::in_progress, V::fail, S::failed, "stuck beyond its deadline"},
                                                {S::in_progress, V::prove, S::in_progress},
                                                {S::completed, V::prove, S::completed},
                                                {S::failed, V::prove, S::failed}});
    }()};

class CrawlingScheduleExecution {
  public:
    struct State {
        ExecutionId id;
        SellerId seller;
        ExecutionStatus status = ExecutionStatus::started;
        std::int64_t total_tasks = 0;
        std::int64_t completed_tasks = 0;
        std::int64_t failed_tasks = 0;
        std::int64_t announced = 0;  // the most items that any of its listing answers said there are
        std::string failure_reason;  // of FAILED
        std::optional<CompletenessProof> proof;
        TimePoint started_at;
        std::optional<TimePoint> completed_at;  // of COMPLETED and FAILED
        TimePoint updated_at;
        std::int64_t revision = 0;  // counts saves

        friend bool operator==(const State&, const State&) = default;
    };

    static CrawlingScheduleExecution begin(ExecutionId id, SellerId seller, TimePoint now);
    static CrawlingScheduleExecution restore(State state) { return CrawlingScheduleExecution(std::move(state)); }

    // The first tasks exist. A run without tasks is finished at once. invalid, here as below: a negative number.
    Result<> tasks_created(std::int64_t count, TimePoint now);
    // One task reached its end, leaving `follow_ups` new ones: one step, so that a run never closes between a task and
    // its follow-ups. conflict, here as below, also where no task is left to count.
    Result<> task_completed(std::int64_t follow_ups, TimePoint now);
    Result<> task_failed(TimePoint now);
    // A FAILED task is tried again: it is open once more, and a finished run with it, of which nothing is proven then.
    Result<> task_revived(TimePoint now);
    // What a listing answer said; the highest holds, as a listing may change while it is read. Of any state: it is only noted.
    void announce(std::int64_t items) { state_.announced = std::max(state_.announced, items); }
    // The numbers as they really are, counted anew; a run that was closed too early is open again, and nothing of it is
    // proven then. invalid: they do not fit each other.
    Result<> recount(std::int64_t total, std::int64_t completed, std::int64_t failed, TimePoint now);
    Result<> fail(std::string reason, TimePoint now);  // STARTED, IN_PROGRESS -> FAILED
    // To another run of its seller: it has FAILED if it was started before `stuck_if_before`. conflict: it is under way.
    Result<> give_way(TimePoint stuck_if_before, TimePoint now);
    // Once it has tasks. A later proof takes the place of an earlier one.
    Result<> prove(CompletenessProof proof, TimePoint now);

    double progress_rate() const;  // per cent of all tasks that are done or failed; a finished run without tasks: 100
    double success_rate() const;   // per cent of those that are done; 0 where there is none yet

    bool is_open() const {
        return state_.status == ExecutionStatus::started || state_.status == ExecutionStatus::in_progress;
    }
    const State& state() const { return state_; }

  private:
    explicit CrawlingScheduleExecution(State state) : state_(std::move(state)) {}
    std::int64_t open_tasks() const;
    Result<> check(ExecutionVerb verb) const;
    Error refuse(ExecutionVerb verb, const char* why) const;
    Result<> count(ExecutionVerb verb, std::int64_t total, std::int64_t completed, std::int64_t failed, TimePoint now);
    State state_;
};

}  // namespace crawler
