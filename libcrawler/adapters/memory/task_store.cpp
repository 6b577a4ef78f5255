#include "adapters/memory/database.hpp"

namespace crawler::adapters {
namespace {

class MemoryTaskStore final : public ports::TaskStore {
  public:
    explicit MemoryTaskStore(MemoryDatabase::Tables& tables) : tables_(tables) {}

    Async<Result<CrawlerTask>> load(TaskId id) override {
        auto body = [&]() -> Result<CrawlerTask> {
            const auto stored = tables_.tasks.find(id);
            if (stored == tables_.tasks.end()) return Error{Errc::not_found, "there is no task " + id.value};
            return stored->second;
        };
        co_return with_faults(tables_.faults, "task_store.load", body);
    }

    Async<Result<CrawlerTask>> save(CrawlerTask task) override {
        auto body = [&]() -> Result<CrawlerTask> {
            if (auto same = unchanged(task); !same) return same.error();
            return tables_.tasks.at(task.state().id) = next_revision(task);
        };
        co_return with_faults(tables_.faults, "task_store.save", body);
    }

    Async<Result<std::size_t>> finish(ports::TaskOutcome outcome) override {
        auto body = [&] { return store(outcome); };
        co_return with_faults(tables_.faults, "task_store.finish", body);
    }

  private:
    Result<> unchanged(const CrawlerTask& task) const {
        const auto& id = task.state().id;
        return check_unchanged(tables_.tasks, id, task, "task " + id.value);
    }

    Result<std::size_t> store(ports::TaskOutcome outcome) {
        if (auto same = unchanged(outcome.task); !same) return same.error();
        if (auto fresh = check_new(tables_.raws, outcome.raws); !fresh) return fresh.error();
        if (auto fresh = check_new(tables_.tasks, outcome.follow_ups); !fresh) return fresh.error();
        if (auto fresh = check_new(tables_.task_outbox, outcome.outbox); !fresh) return fresh.error();
        if (!outcome.follow_ups.empty()) outcome.drop_repeated(asked_in(outcome.task.state().execution));
        auto run = counted(outcome);
        if (!run) return run.error();

        tables_.executions.at(run->state().id) = next_revision(*run);
        tables_.tasks.at(outcome.task.state().id) = next_revision(outcome.task);
        for (const auto& raw : outcome.raws) tables_.put_raw(raw);
        for (const auto& task : outcome.follow_ups) tables_.tasks.emplace(task.state().id, task);
        for (const auto& entry : outcome.outbox) tables_.task_outbox.put(entry);
        if (outcome.stamp) tables_.stamp(*outcome.stamp);
        return outcome.follow_ups.size();
    }

    // What the tasks of a run ask.
    std::set<std::string> asked_in(const ExecutionId& run) const {
        std::set<std::string> asked;
        for (const auto& [id, task] : tables_.tasks) {
            if (task.state().execution == run) asked.insert(task.state().request_url.text());
        }
        return asked;
    }

    // The task's run with its counters moved on.
    Result<CrawlingScheduleExecution> counted(const ports::TaskOutcome& outcome) const {
        const auto& task = outcome.task.state();
        const auto stored = tables_.executions.find(task.execution);
        if (stored == tables_.executions.end())
            return Error{Errc::not_found, "task " + task.id.value + ": there is no run " + task.execution.value};
        if (task.status != TaskStatus::completed && !outcome.follow_ups.empty())
            return Error{Errc::invalid, "task " + task.id.value + " has follow-ups but is not COMPLETED"};

        auto run = stored->second;
        Result<> done;
        if (task.status == TaskStatus::completed) {
            done = run.task_completed(std::ssize(outcome.follow_ups), task.updated_at);
        } else if (task.status == TaskStatus::failed) {
            done = run.task_failed(task.updated_at);
        } else if (task.status != TaskStatus::retry) {
            done = Error{Errc::invalid,
                         "task " + task.id.value + " is " + std::string(to_string(task.status)) + "; cannot finish it"};
        }
        if (!done) return done.error();
        if (outcome.announced) run.announce(*outcome.announced);
        return run;
    }

    MemoryDatabase::Tables& tables_;
};

}  // namespace

std::unique_ptr<ports::TaskStore> make_memory_task_store(MemoryDatabase& database) {
    return std::make_unique<MemoryTaskStore>(database.tables());
}

}  // namespace crawler::adapters
