#include "adapters/sql/database.hpp"
#include "adapters/sql/execution_rows.hpp"
#include "adapters/sql/ledger_rows.hpp"
#include "adapters/sql/outbox_rows.hpp"
#include "adapters/sql/raw_rows.hpp"
#include "adapters/sql/task_rows.hpp"

namespace crawler::adapters {
namespace {

using namespace sql;

// The run with its counters moved on by what became of one of its tasks.
Result<> count_in(CrawlingScheduleExecution& run, const ports::TaskOutcome& outcome) {
    const auto& task = outcome.task.state();
    if (task.status == TaskStatus::completed)
        return run.task_completed(std::ssize(outcome.follow_ups), task.updated_at);
    if (task.status == TaskStatus::failed) return run.task_failed(task.updated_at);
    return {};
}

Result<> check(const ports::TaskOutcome& outcome) {
    const auto& task = outcome.task.state();
    const bool is_end = outcome.task.is_terminal() || task.status == TaskStatus::retry;
    if (!is_end)
        return Error{Errc::invalid,
                     "task " + task.id.value + " is " + std::string(to_string(task.status)) + "; cannot finish it"};
    if (task.status != TaskStatus::completed && !outcome.follow_ups.empty())
        return Error{Errc::invalid, "task " + task.id.value + " has follow-ups but is not COMPLETED"};
    return {};
}

Result<CrawlingScheduleExecution> lock_run(Session& session, const CrawlerTask::State& task) {
    auto run = load_execution(session, task.execution, ForUpdate::yes);
    if (!run) return Error{run.error().code, "task " + task.id.value + ": " + run.error().detail};
    return run;
}

// All tasks of a run wait for each other at its row. So it is locked last, but for those that bring follow-ups: what these ask is
// compared with what the run asks already, and none may come in between.
Result<std::size_t> finish_in(Session& session, ports::TaskOutcome outcome) {
    if (auto fine = check(outcome); !fine) return fine.error();
    const auto& task = outcome.task.state();
    if (auto saved = update_task(session, outcome.task); !saved) return saved.error();
    insert_raws(session, outcome.raws);
    std::optional<Result<CrawlingScheduleExecution>> run;
    if (!outcome.follow_ups.empty()) {
        run = lock_run(session, task);
        outcome.drop_repeated(asked_already(session, task.execution, outcome.follow_ups));
    }
    insert_tasks(session, outcome.follow_ups);
    insert_entries(session, task_outbox_table, outcome.outbox);
    if (outcome.stamp) (void)stamp_ledger(session, *outcome.stamp);

    if (!run) run = lock_run(session, task);
    if (!*run) return run->error();
    if (auto counted = count_in(**run, outcome); !counted) return counted.error();
    if (outcome.announced) (**run).announce(*outcome.announced);
    if (outcome.task.is_terminal()) update_execution(session, **run);
    return outcome.follow_ups.size();
}

class SqlTaskStore final : public ports::TaskStore {
  public:
    explicit SqlTaskStore(SqlDatabase& database) : database_(database) {}

    Async<Result<CrawlerTask>> load(TaskId id) override {
        auto body = [id = std::move(id)](Session& session) { return load_task(session, id); };
        co_return co_await database_.read(std::move(body));
    }

    Async<Result<CrawlerTask>> save(CrawlerTask task) override {
        auto body = [task = std::move(task)](Session& session) { return update_task(session, task); };
        co_return co_await database_.transact(std::move(body));
    }

    Async<Result<std::size_t>> finish(ports::TaskOutcome outcome) override {
        auto body = [outcome = std::move(outcome)](Session& session) { return finish_in(session, outcome); };
        co_return co_await database_.transact(std::move(body));
    }

  private:
    SqlDatabase& database_;
};

}  // namespace

std::unique_ptr<ports::TaskStore> make_sql_task_store(SqlDatabase& database) {
    return std::make_unique<SqlTaskStore>(database);
}

}  // namespace crawler::adapters
