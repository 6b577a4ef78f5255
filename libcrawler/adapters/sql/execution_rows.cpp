#include "adapters/sql/execution_rows.hpp"

#include "adapters/sql/free_text.hpp"
#include "codec/proof.hpp"

namespace crawler::adapters::sql {
namespace {

const Columns all_columns{"id",           "seller_id",      "status",    "total_tasks", "completed_tasks",
                          "failed_tasks", "failure_reason", "proof",     "started_at",  "completed_at",
                          "updated_at",   "revision",       "announced", "conclude_at"};

// From when on somebody should look whether it can be proven: since it is over, unless it is proven.
std::optional<TimePoint> conclude_at(const CrawlingScheduleExecution::State& s) {
    return s.proof ? std::nullopt : s.completed_at;
}

Values row_of(const CrawlingScheduleExecution::State& s) {
    const Value proof = s.proof ? Value(codec::write_proof(s.proof->state())) : Value(std::nullopt);
    return {s.id,
            s.seller,
            s.status,
            s.total_tasks,
            s.completed_tasks,
            s.failed_tasks,
            free_text(s.failure_reason),
            proof,
            s.started_at,
            s.completed_at,
            s.updated_at,
            s.revision,
            s.announced,
            conclude_at(s)};
}

}  // namespace

const Columns execution_columns(all_columns.begin(), all_columns.end() - 1);

CrawlingScheduleExecution execution_of(Row row) {
    auto id = row.id<ExecutionId>();
    CrawlingScheduleExecution::State state{.id = std::move(id), .seller = row.seller()};
    state.status = row.word<ExecutionStatus>();
    state.total_tasks = row.number();
    state.completed_tasks = row.number();
    state.failed_tasks = row.number();
    state.failure_reason = row.text();
    if (const auto proof = row.optional_text())
        state.proof = CompletenessProof::restore(row.checked(codec::read_proof(*proof)));
    state.started_at = row.instant();
    state.completed_at = row.optional_instant();
    state.updated_at = row.instant();
    state.revision = row.number();
    state.announced = row.number();
    return CrawlingScheduleExecution::restore(std::move(state));
}

Result<CrawlingScheduleExecution> load_execution(Session& session, const ExecutionId& id, ForUpdate lock) {
    auto rest = std::string("FROM crawling_schedule_executions WHERE id = ? ");
    if (lock == ForUpdate::yes) rest += session.dialect().lock_rows();
    auto row = session.select_one(execution_columns, rest, {id});
    if (!row) return Error{Errc::not_found, "there is no run " + id.value};
    return execution_of(std::move(*row));
}

std::optional<CrawlingScheduleExecution> find_open_execution(Session& session, const SellerId& seller, ForUpdate lock) {
    auto rest = std::string("FROM crawling_schedule_executions WHERE seller_id = ? AND status IN (?, ?) ");
    if (lock == ForUpdate::yes) rest += session.dialect().lock_rows();
    auto row =
        session.select_one(execution_columns, rest, {seller, ExecutionStatus::started, ExecutionStatus::in_progress});
    if (!row) return std::nullopt;
    return execution_of(std::move(*row));
}

void insert_execution(Session& session, const CrawlingScheduleExecution& execution) {
    session.insert("crawling_schedule_executions", all_columns, {row_of(execution.state())});
}

void update_execution(Session& session, const CrawlingScheduleExecution& execution) {
    auto state = execution.state();
    ++state.revision;
    auto values = row_of(state);
    values.emplace_back(state.id);
    static const auto text = update_text("crawling_schedule_executions", all_columns, "id = ?");
    session.execute(text, values);
}

}  // namespace crawler::adapters::sql
