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

    bool is_proven(const ExecutionId& id) const {
        const auto run = tables_.executions.find(id);
        if (run == tables_.executions.end()) return false;
        const auto& state = run->second.state();
        return state.completed_at && state.proof;
    }
    bool is_evidence(const RawId& id) const {
        const auto raw = tables_.raws.find(id);
        if (raw == tables_.raws.end()) return false;
        const auto task = tables_.tasks.find(raw->second.state().task);
        return task != tables_.tasks.end() && !tables_.executions.at(task->second.state().execution).state().proof;
    }

    std::size_t purge_tasks(TimePoint before, std::size_t limit) {
        std::vector<std::pair<TimePoint, TaskId>> ended;
        for (const auto& [id, task] : tables_.tasks) {
            const auto& state = task.state();
            if (task.is_terminal() && state.completed_at < before && is_proven(state.execution))
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
        std::vector<RawId> ended;
        for (const auto& [ended_at, id] : tables_.answers.ended()) {
            if (ended_at >= before || ended.size() == limit) break;
            if (!is_evidence(id)) ended.push_back(id);
        }
        std::size_t gone = 0;
        for (const auto& id : ended) {
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
