#include "ports/overview.hpp"

#include <algorithm>
#include <tuple>

#include "adapters/memory/database.hpp"

namespace crawler::adapters {
namespace {

using Run = CrawlingScheduleExecution;

void keep_older(std::optional<TimePoint>& oldest, TimePoint time) {
    if (!oldest || time < *oldest) oldest = time;
}

ports::OutboxView view_of(ports::OutboxName name, const OutboxTable& outbox) {
    ports::OutboxView view{.name = name};
    for (const auto& [id, entry] : outbox.entries()) {
        const auto status = entry.state().status;
        if (status == OutboxStatus::sent) continue;
        if (status == OutboxStatus::pending) ++view.pending;
        if (status == OutboxStatus::processing) ++view.processing;
        if (status == OutboxStatus::failed) ++view.failed;
        if (status == OutboxStatus::dead) ++view.dead;
        if (status != OutboxStatus::dead) keep_older(view.oldest_unsent, entry.state().created_at);
    }
    return view;
}

class MemoryOverview final : public ports::Overview {
  public:
    explicit MemoryOverview(MemoryDatabase::Tables& tables) : tables_(tables) {}

    Async<Result<std::vector<Run>>> runs(ports::RunFilter filter) override {
        auto body = [&]() -> Result<std::vector<Run>> { return newest(filter); };
        co_return with_faults(tables_.faults, "overview.runs", body);
    }

    Async<Result<ports::RunView>> run(ExecutionId id, int most_troubles) override {
        auto body = [&]() -> Result<ports::RunView> {
            const auto stored = tables_.executions.find(id);
            if (stored == tables_.executions.end()) return Error{Errc::not_found, "there is no run " + id.value};
            return ports::RunView{stored->second, tasks_of(id), troubles_of(id, most_troubles)};
        };
        co_return with_faults(tables_.faults, "overview.run", body);
    }

    Async<Result<std::vector<ports::OutboxView>>> outboxes() override {
        auto body = [&]() -> Result<std::vector<ports::OutboxView>> {
            return std::vector{view_of(ports::OutboxName::tasks, tables_.task_outbox),
                               view_of(ports::OutboxName::schedules, tables_.scheduler_outbox),
                               view_of(ports::OutboxName::products, tables_.product_outbox)};
        };
        co_return with_faults(tables_.faults, "overview.outboxes", body);
    }

    Async<Result<ports::RawView>> raws() override {
        auto body = [&]() -> Result<ports::RawView> {
            ports::RawView view;
            for (const auto& [id, raw] : tables_.raws) {
                const auto status = raw.state().status;
                if (status == RawStatus::pending) ++view.pending;
                if (status == RawStatus::failed) ++view.failed;
                if (status == RawStatus::quarantined) ++view.quarantined;
                if (raw_table.allows(status, RawVerb::claim)) keep_older(view.oldest_waiting, raw.state().fetched_at);
            }
            return view;
        };
        co_return with_faults(tables_.faults, "overview.raws", body);
    }

    Async<Result<std::vector<ports::SellerView>>> sellers(std::string after, int limit) override {
        auto body = [&]() -> Result<std::vector<ports::SellerView>> {
            std::vector<ports::SellerView> views;
            for (const auto& [id, seller] : tables_.sellers) {
                if (id.value() > after && std::ssize(views) < limit) views.push_back(view_of_seller(seller));
            }
            return views;
        };
        co_return with_faults(tables_.faults, "overview.sellers", body);
    }

  private:
    std::vector<Run> newest(const ports::RunFilter& filter) const {
        std::vector<Run> runs;
        for (const auto& [id, run] : tables_.executions) {
            const auto& state = run.state();
            if (filter.seller && *filter.seller != state.seller) continue;
            if (filter.status && *filter.status != state.status) continue;
            runs.push_back(run);
        }
        std::ranges::sort(runs, [](const Run& a, const Run& b) {
            return std::tie(a.state().started_at, a.state().id) > std::tie(b.state().started_at, b.state().id);
        });
        if (std::ssize(runs) > filter.limit) runs.erase(runs.begin() + filter.limit, runs.end());
        return runs;
    }

    std::vector<ports::TaskCount> tasks_of(const ExecutionId& id) const {
        std::map<std::pair<TaskType, TaskStatus>, std::int64_t> counts;
        for (const auto& [key, task] : tables_.tasks) {
            if (task.state().execution == id) ++counts[{task.type(), task.state().status}];
        }
        std::vector<ports::TaskCount> tasks;
        for (const auto& [kind, count] : counts) tasks.push_back({kind.first, kind.second, count});
        return tasks;
    }

    std::vector<ports::TaskTrouble> troubles_of(const ExecutionId& id, int most) const {
        using Kind = std::tuple<std::string_view, std::string_view, std::string, std::optional<ErrorClass>>;
        std::map<Kind, ports::TaskTrouble> by_kind;
        for (const auto& [key, task] : tables_.tasks) {
            const auto& state = task.state();
            const bool is_trouble = state.status == TaskStatus::failed || state.status == TaskStatus::retry;
            if (state.execution != id || !is_trouble) continue;
            const Kind kind{to_string(task.type()), to_string(state.status), state.error_message, state.error_class};
            auto& trouble = by_kind[kind];
            trouble = {task.type(), state.status, state.error_class, state.error_message, trouble.tasks + 1};
        }
        std::multimap<std::int64_t, ports::TaskTrouble, std::greater<>> most_first;  // equal ones stay in order
        for (const auto& [kind, trouble] : by_kind) most_first.emplace(trouble.tasks, trouble);
        std::vector<ports::TaskTrouble> troubles;
        for (const auto& [tasks, trouble] : most_first) {
            if (std::ssize(troubles) < most) troubles.push_back(trouble);
        }
        return troubles;
    }

    ports::SellerView view_of_seller(const Seller& seller) const {
        ports::SellerView view{.seller = seller, .last_run = {}};
        const auto& id = seller.state().id;
        for (const auto& [item, product] : tables_.products) {
            if (product.state().seller != id) continue;
            const auto status = product.status();
            ++(status == ProductStatus::live      ? view.live
               : status == ProductStatus::deleted ? view.deleted
                                                  : view.incomplete);
        }
        const auto runs = newest({.seller = id, .limit = 1});
        if (!runs.empty()) view.last_run = runs.front();
        return view;
    }

    MemoryDatabase::Tables& tables_;
};

}  // namespace

std::unique_ptr<ports::Overview> make_memory_overview(MemoryDatabase& database) {
    return std::make_unique<MemoryOverview>(database.tables());
}

}  // namespace crawler::adapters
