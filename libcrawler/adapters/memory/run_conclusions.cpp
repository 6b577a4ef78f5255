#include <algorithm>

#include "adapters/memory/database.hpp"
#include "adapters/memory/product_changes.hpp"

namespace crawler::adapters {
namespace {

using Run = CrawlingScheduleExecution;

class MemoryRunConclusions final : public ports::RunConclusions {
  public:
    explicit MemoryRunConclusions(MemoryDatabase::Tables& tables) : tables_(tables) {}

    Async<Result<std::vector<Run>>> claim(int limit, TimePoint now, Duration lease) override {
        auto body = [&]() -> Result<std::vector<Run>> {
            std::vector<std::pair<TimePoint, ExecutionId>> due;
            for (const auto& [id, run] : tables_.executions) {
                const auto at = due_at(run);
                if (at && *at <= now) due.emplace_back(*at, id);
            }
            std::ranges::sort(due);
            due.resize(std::min(due.size(), static_cast<std::size_t>(limit)));
            std::vector<Run> claimed;
            for (const auto& [at, id] : due) {
                tables_.conclude_at[id] = now + lease;
                claimed.push_back(tables_.executions.at(id));
            }
            return claimed;
        };
        co_return with_faults(tables_.faults, "run_conclusions.claim", body);
    }

    Async<Result<>> look_again(ExecutionId run, TimePoint at) override {
        auto body = [&]() -> Result<> {
            const auto stored = tables_.executions.find(run);
            if (stored != tables_.executions.end() && due_at(stored->second)) tables_.conclude_at[run] = at;
            return {};
        };
        co_return with_faults(tables_.faults, "run_conclusions.look_again", body);
    }

    Async<Result<RunEvidence>> evidence(ExecutionId run) override {
        auto body = [&]() -> Result<RunEvidence> {
            const auto stored = tables_.executions.find(run);
            if (stored == tables_.executions.end()) return Error{Errc::not_found, "there is no run " + run.value};
            return evidence_of(stored->second);
        };
        co_return with_faults(tables_.faults, "run_conclusions.evidence", body);
    }

    Async<Result<std::vector<ItemNo>>> on_record(SellerId seller, TimePoint listed_at, ItemNo after,
                                                 int limit) override {
        auto body = [&]() -> Result<std::vector<ItemNo>> {
            std::vector<ItemNo> items;
            for (auto next = tables_.products.upper_bound(after);
                 next != tables_.products.end() && std::ssize(items) < limit; ++next) {
                const auto& product = next->second;
                const bool was_told = std::ranges::count(product.state().missing_at, std::optional(listed_at)) > 0;
                if (product.state().seller == seller && !product.is_deleted() && !was_told)
                    items.push_back(next->first);
            }
            return items;
        };
        co_return with_faults(tables_.faults, "run_conclusions.on_record", body);
    }

    Async<Result<>> delist(ports::Delisting delisting) override {
        auto body = [&]() -> Result<> {
            if (auto same = unchanged(delisting.run); !same) return same;
            const ProductChanges changes{delisting.products, delisting.history, delisting.events, delisting.melted};
            if (auto storable = check_changes(tables_, changes); !storable) return storable;
            store_changes(tables_, changes);
            return {};
        };
        co_return with_faults(tables_.faults, "run_conclusions.delist", body);
    }

    Async<Result<>> conclude(Run run) override {
        auto body = [&]() -> Result<> {
            const auto& id = run.state().id;
            if (!run.state().proof) return Error{Errc::invalid, "nothing of run " + id.value + " is proven"};
            if (auto same = unchanged(run); !same) return same;
            tables_.executions.at(id) = next_revision(run);
            tables_.conclude_at.erase(id);
            return {};
        };
        co_return with_faults(tables_.faults, "run_conclusions.conclude", body);
    }

  private:
    Result<> unchanged(const Run& run) const {
        const auto& id = run.state().id;
        return check_unchanged(tables_.executions, id, run, "run " + id.value);
    }

    std::optional<TimePoint> due_at(const Run& run) const {
        const auto& state = run.state();
        if (state.proof || !state.completed_at) return std::nullopt;
        const auto later = tables_.conclude_at.find(state.id);
        return later == tables_.conclude_at.end() ? *state.completed_at : later->second;
    }

    RunEvidence evidence_of(const Run& run) const {
        RunEvidence evidence;
        evidence.announced = run.state().announced;
        std::multimap<TaskId, RawStatus> answers;
        for (const auto& [id, raw] : tables_.raws) answers.emplace(raw.state().task, raw.state().status);
        for (const auto& [id, task] : tables_.tasks) {
            if (task.state().execution == run.state().id) add_task(evidence, task, answers);
        }
        if (evidence.has_unread_answers) {
            evidence.questions.clear();
            return evidence;
        }
        for (const auto& [item, product] : tables_.products)
            evidence.known.emplace(item, KnownItem{product.state().seller, product.facet(FacetKind::detail).has_value(),
                                                   product.facet(FacetKind::option).has_value()});
        return evidence;
    }

    static void add_task(RunEvidence& evidence, const CrawlerTask& task,
                         const std::multimap<TaskId, RawStatus>& answers) {
        const auto& state = task.state();
        ++evidence.tasks;
        evidence.open_tasks += task.is_terminal() ? 0 : 1;
        evidence.searches += task.type() == TaskType::search ? 1 : 0;
        evidence.pages += task.type() == TaskType::minishop ? 1 : 0;
        evidence.pages_completed += task.type() == TaskType::minishop && state.status == TaskStatus::completed ? 1 : 0;

        ItemQuestion question{state.request_url.item().value_or(0), task.type(), state.status, state.completed_as, {}};
        const auto [first, last] = answers.equal_range(state.id);
        for (auto answer = first; answer != last; ++answer) {
            question.answer = answer->second;
            evidence.has_unread_answers =
                evidence.has_unread_answers || raw_table.allows(answer->second, RawVerb::claim);
            if (asks_about_item(task.type())) evidence.questions.push_back(question);
        }
        if (first == last && asks_about_item(task.type())) evidence.questions.push_back(question);
    }

    MemoryDatabase::Tables& tables_;
};

}  // namespace

std::unique_ptr<ports::RunConclusions> make_memory_run_conclusions(MemoryDatabase& database) {
    return std::make_unique<MemoryRunConclusions>(database.tables());
}

}  // namespace crawler::adapters
