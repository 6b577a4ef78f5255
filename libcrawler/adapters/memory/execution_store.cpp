#include <algorithm>

#include "adapters/memory/database.hpp"

namespace crawler::adapters {
namespace {

class MemoryExecutionStore final : public ports::ExecutionStore {
  public:
    explicit MemoryExecutionStore(MemoryDatabase::Tables& tables) : tables_(tables) {}

    Async<Result<>> start(ports::NewRun run) override {
        auto body = [&] { return store(run); };
        co_return with_faults(tables_.faults, "execution_store.start", body);
    }

    Async<Result<CrawlingScheduleExecution>> find(ExecutionId id) override {
        auto body = [&]() -> Result<CrawlingScheduleExecution> {
            const auto stored = tables_.executions.find(id);
            if (stored == tables_.executions.end()) return Error{Errc::not_found, "there is no run " + id.value};
            return stored->second;
        };
        co_return with_faults(tables_.faults, "execution_store.find", body);
    }

    Async<Result<std::optional<CrawlingScheduleExecution>>> open_run(SellerId seller) override {
        auto body = [&]() -> Result<std::optional<CrawlingScheduleExecution>> {
            const auto open = find_open(seller);
            return open == tables_.executions.end() ? std::nullopt : std::optional(open->second);
        };
        co_return with_faults(tables_.faults, "execution_store.open_run", body);
    }

  private:
    std::map<ExecutionId, CrawlingScheduleExecution>::iterator find_open(const SellerId& seller) {
        return std::ranges::find_if(tables_.executions, [&](const auto& row) {
            return row.second.state().seller == seller && row.second.is_open();
        });
    }

    Result<> store(const ports::NewRun& run) {
        const auto& seller = run.seller.state().id;
        const auto& id = run.execution.state().id;
        if (auto same = check_unchanged(tables_.sellers, seller, run.seller, "seller " + seller.value()); !same)
            return same;
        if (tables_.executions.contains(id)) return Error{Errc::conflict, "run " + id.value + " is there already"};
        if (auto fresh = check_new(tables_.tasks, run.tasks); !fresh) return fresh;
        if (auto fresh = check_new(tables_.task_outbox, run.outbox); !fresh) return fresh;
        if (const auto open = find_open(seller); open != tables_.executions.end()) {
            auto before = open->second;
            if (auto given_up = before.give_way(run.give_up_before, run.execution.state().started_at); !given_up)
                return given_up;
            open->second = next_revision(before);
        }

        tables_.sellers.at(seller) = next_revision(run.seller);
        tables_.executions.emplace(id, run.execution);
        for (const auto& task : run.tasks) tables_.tasks.emplace(task.state().id, task);
        for (const auto& entry : run.outbox) tables_.task_outbox.put(entry);
        return {};
    }

    MemoryDatabase::Tables& tables_;
};

}  // namespace

std::unique_ptr<ports::ExecutionStore> make_memory_execution_store(MemoryDatabase& database) {
    return std::make_unique<MemoryExecutionStore>(database.tables());
}

}  // namespace crawler::adapters
