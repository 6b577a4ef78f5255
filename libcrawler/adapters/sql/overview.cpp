#include "ports/overview.hpp"

#include <map>

#include "adapters/sql/database.hpp"
#include "adapters/sql/execution_rows.hpp"
#include "adapters/sql/outbox_rows.hpp"
#include "adapters/sql/seller_rows.hpp"

namespace crawler::adapters {
namespace {

using namespace sql;
using Runs = std::vector<CrawlingScheduleExecution>;

// By the index on (started_at, id), on (status, started_at, id), or on (seller_id, started_at).
Result<Runs> runs_in(Session& session, const ports::RunFilter& filter) {
    std::string rest = "FROM crawling_schedule_executions WHERE 1 = 1";
    Values values;
    if (filter.seller) {
        rest += " AND seller_id = ?";
        values.emplace_back(*filter.seller);
    }
    if (filter.status) {
        rest += " AND status = ?";
        values.emplace_back(*filter.status);
    }
    values.emplace_back(filter.limit);
    Runs runs;
    for (auto& row : session.select(execution_columns, rest + " ORDER BY started_at DESC, id DESC LIMIT ?", values))
        runs.push_back(execution_of(std::move(row)));
    return runs;
}

std::vector<ports::TaskCount> tasks_of(Session& session, const ExecutionId& id) {
    const auto* rest = "FROM crawler_tasks WHERE execution_id = ? GROUP BY type, status";
    std::map<std::pair<TaskType, TaskStatus>, std::int64_t> counts;
    for (auto& row : session.select({"type", "status", "COUNT(*)"}, rest, {id})) {
        const auto type = row.word<TaskType>();
        const auto status = row.word<TaskStatus>();
        counts[{type, status}] = row.number();
    }
    std::vector<ports::TaskCount> tasks;
    for (const auto& [kind, count] : counts) tasks.push_back({kind.first, kind.second, count});
    return tasks;
}

std::vector<ports::TaskTrouble> troubles_of(Session& session, const ExecutionId& id, int most) {
    const auto* rest =
        "FROM crawler_tasks WHERE execution_id = ? AND status IN (?, ?) GROUP BY type, status, error_class, "
        "error_message ORDER BY COUNT(*) DESC, type, status, error_message LIMIT ?";
    std::vector<ports::TaskTrouble> troubles;
    for (auto& row : session.select({"type", "status", "error_class", "error_message", "COUNT(*)"}, rest,
                                    {id, TaskStatus::failed, TaskStatus::retry, most})) {
        ports::TaskTrouble trouble;
        trouble.type = row.word<TaskType>();
        trouble.status = row.word<TaskStatus>();
        trouble.error_class = row.optional_word<ErrorClass>();
        trouble.message = row.text();
        trouble.tasks = row.number();
        troubles.push_back(std::move(trouble));
    }
    return troubles;
}

Result<ports::RunView> run_in(Session& session, const ExecutionId& id, int most_troubles) {
    auto run = load_execution(session, id, ForUpdate::no);
    if (!run) return run.error();
    return ports::RunView{*std::move(run), tasks_of(session, id), troubles_of(session, id, most_troubles)};
}

void keep_older(std::optional<TimePoint>& oldest, TimePoint time) {
    if (!oldest || time < *oldest) oldest = time;
}

// What is SENT has a done_at, and so is never met.
ports::OutboxView outbox_in(Session& session, ports::OutboxName name, std::string_view table) {
    ports::OutboxView view{.name = name};
    const auto rest = "FROM " + std::string(table) + " WHERE done_at IS NULL GROUP BY status";
    for (auto& row : session.select({"status", "COUNT(*)", "MIN(created_at)"}, rest)) {
        const auto status = row.word<OutboxStatus>();
        const auto count = row.number();
        if (status == OutboxStatus::pending) view.pending = count;
        if (status == OutboxStatus::processing) view.processing = count;
        if (status == OutboxStatus::failed) view.failed = count;
        if (status == OutboxStatus::dead) view.dead = count;
        if (status != OutboxStatus::dead) keep_older(view.oldest_unsent, row.instant());
    }
    return view;
}

Result<ports::RawView> raws_in(Session& session) {
    ports::RawView view;
    const auto* rest = "FROM crawled_raw WHERE status IN (?, ?, ?) GROUP BY status";
    for (auto& row : session.select({"status", "COUNT(*)", "MIN(fetched_at)"}, rest,
                                    {RawStatus::pending, RawStatus::failed, RawStatus::quarantined})) {
        const auto status = row.word<RawStatus>();
        const auto count = row.number();
        if (status == RawStatus::pending) view.pending = count;
        if (status == RawStatus::failed) view.failed = count;
        if (status == RawStatus::quarantined) view.quarantined = count;
        if (status != RawStatus::quarantined) keep_older(view.oldest_waiting, row.instant());
    }
    return view;
}

// By indexes that hold all that is asked for.
void add_products(Session& session, ports::SellerView& view) {
    const auto* rest = "FROM products WHERE seller_id = ? GROUP BY status";
    for (auto& row : session.select({"status", "COUNT(*)"}, rest, {view.seller.state().id})) {
        const auto status = row.word<ProductStatus>();
        auto& count = status == ProductStatus::live      ? view.live
                      : status == ProductStatus::deleted ? view.deleted
                                                         : view.incomplete;
        count = row.number();
    }
}

Result<std::vector<ports::SellerView>> sellers_in(Session& session, const std::string& after, int limit) {
    std::vector<ports::SellerView> views;
    const auto* rest = "FROM sellers WHERE seller_id > ? ORDER BY seller_id LIMIT ?";
    for (auto& row : session.select({"seller_id"}, rest, {after, limit})) {
        const auto id = row.seller();
        auto seller = load_seller(session, id);
        if (!seller) return seller.error();
        auto newest = runs_in(session, {.seller = id, .limit = 1});
        if (!newest) return newest.error();
        auto& view = views.emplace_back(ports::SellerView{.seller = *std::move(seller), .last_run = {}});
        if (!newest->empty()) view.last_run = newest->front();
        add_products(session, view);
    }
    return views;
}

class SqlOverview final : public ports::Overview {
  public:
    explicit SqlOverview(SqlDatabase& database) : database_(database) {}

    Async<Result<Runs>> runs(ports::RunFilter filter) override {
        auto body = [filter = std::move(filter)](Session& session) { return runs_in(session, filter); };
        co_return co_await database_.read(std::move(body));
    }

    Async<Result<ports::RunView>> run(ExecutionId id, int most_troubles) override {
        auto body = [id = std::move(id), most_troubles](Session& session) {
            return run_in(session, id, most_troubles);
        };
        co_return co_await database_.read(std::move(body));
    }

    Async<Result<std::vector<ports::OutboxView>>> outboxes() override {
        auto body = [](Session& session) -> Result<std::vector<ports::OutboxView>> {
            return std::vector{outbox_in(session, ports::OutboxName::tasks, task_outbox_table),
                               outbox_in(session, ports::OutboxName::schedules, scheduler_outbox_table),
                               outbox_in(session, ports::OutboxName::products, product_outbox_table)};
        };
        co_return co_await database_.read(std::move(body));
    }

    Async<Result<ports::RawView>> raws() override {
        auto body = [](Session& session) { return raws_in(session); };
        co_return co_await database_.read(std::move(body));
    }

    Async<Result<std::vector<ports::SellerView>>> sellers(std::string after, int limit) override {
        auto body = [after = std::move(after), limit](Session& session) { return sellers_in(session, after, limit); };
        co_return co_await database_.read(std::move(body));
    }

  private:
    SqlDatabase& database_;
};

}  // namespace

std::unique_ptr<ports::Overview> make_sql_overview(SqlDatabase& database) {
    return std::make_unique<SqlOverview>(database);
}

}  // namespace crawler::adapters
