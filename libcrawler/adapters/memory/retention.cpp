#include <algorithm>

#include "adapters/memory/database.hpp"
#include "ports/retention.hpp"

namespace crawler::adapters {
namespace {

using ports::Expendable;

class MemoryRetention final : public ports::Retention {
  public:
    explicit MemoryRetention(MemoryDatabase::Tables& tables) : tables_(tables) {}

    Async<Result<std::size_t>> purge(Expendable what, TimePoint before, int limit) override {
        auto body = [&]() -> Result<std::size_t> { return purge_now(what, before, static_cast<std::size_t>(limit)); };
        co_return with_faults(tables_.faults, "retention.purge", body);
    }

  private:
    std::size_t purge_now(Expendable what, TimePoint before, std::size_t limit) {
        switch (what) {
            case Expendable::finished_tasks:
                return purge_tasks(before, limit);
            case Expendable::sent_tasks:
                return tables_.task_outbox.purge_sent(before, limit);
            case Expendable::sent_schedules:
                return tables_.scheduler_outbox.purge_sent(before, limit);
            case Expendable::sent_products:
                return tables_.product_outbox.purge_sent(before, limit);
            case Expendable::superseded_raws:
                return purge_raws(before, limit);
            case Expendable::ledger_entries:
                break;
        }
        return purge_ledger(before, limit);
    }

    bool is_over(const ExecutionId& id) const {
        const auto run = tables_.executions.find(id);
        if (run == tables_.executions.end()) return false;
        const auto status = run->second.state().status;
        return status == ExecutionStatus::completed || status == ExecutionStatus::failed;
    }

    std::size_t purge_tasks(TimePoint before, std::size_t limit) {
        std::vector<std::pair<TimePoint, TaskId>> ended;
        for (const auto& [id, task] : tables_.tasks) {
            const auto& state = task.state();
            if (task.is_terminal() && state.completed_at < before && is_over(state.execution))
                ended.emplace_back(*state.completed_at, id);
        }
        return erase_oldest(tables_.tasks, std::move(ended), limit);
    }

    std::size_t purge_ledger(TimePoint before, std::size_t limit) {
        std::vector<std::pair<TimePoint, std::string>> past;
        for (const auto& [reservation, entry] : tables_.ledger) {
            if (entry.reserved < before) past.emplace_back(entry.reserved, reservation);
        }
        return erase_oldest(tables_.ledger, std::move(past), limit);
    }

    std::size_t purge_raws(TimePoint before, std::size_t limit) {
        std::size_t gone = 0;
        while (gone < limit && !tables_.answers.ended().empty()) {
            const auto [ended_at, id] = *tables_.answers.ended().begin();
            if (ended_at >= before) break;
            tables_.answers.forget(id);
            gone += tables_.raws.erase(id);
        }
        return gone;
    }

    template <class Table, class Key>
    static std::size_t erase_oldest(Table& table, std::vector<std::pair<TimePoint, Key>> ended, std::size_t limit) {
        std::ranges::sort(ended);
        ended.resize(std::min(ended.size(), limit));
        for (const auto& [ended_at, key] : ended) table.erase(key);
        return ended.size();
    }

    MemoryDatabase::Tables& tables_;
};

}  // namespace

std::unique_ptr<ports::Retention> make_memory_retention(MemoryDatabase& database) {
    return std::make_unique<MemoryRetention>(database.tables());
}

}  // namespace crawler::adapters
