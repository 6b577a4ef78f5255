#include "adapters/sql/task_rows.hpp"

#include <map>
#include "adapters/sql/free_text.hpp"

#include "codec/sha256.hpp"

namespace crawler::adapters::sql {
namespace {

const Columns columns{"id",          "execution_id",  "seller_id",    "type",          "request_url", "status",
                      "attempt",     "retry_count",   "rescue_count", "publications",  "lease_until", "completed_as",
                      "error_class", "error_message", "created_at",   "published_at",  "started_at",  "completed_at",
                      "updated_at",  "revision",      "watch_at",     "request_digest"};

// From when on a sweep should look at it: where its lease, or where its last step, is long ago.
std::optional<TimePoint> watch_at(const CrawlerTask& task) {
    if (task.is_terminal()) return std::nullopt;
    return task.state().lease_until.value_or(task.state().updated_at);
}

// Short enough for an index, and nothing that a marketplace could make two texts share.
std::string digest_of(const CrawlerTask& task) {
    return codec::sha256(task.state().request_url.text()).hex();
}

Values row_of(const CrawlerTask& task) {
    const auto& s = task.state();
    return {s.id,
            s.execution,
            s.seller,
            task.type(),
            s.request_url.text(),
            s.status,
            s.attempt,
            s.retry_count,
            s.rescue_count,
            s.publications,
            s.lease_until,
            s.completed_as,
            s.error_class,
            free_text(s.error_message),
            s.created_at,
            s.published_at,
            s.started_at,
            s.completed_at,
            s.updated_at,
            s.revision,
            watch_at(task),
            digest_of(task)};
}

CrawlerTask task_of(Row row) {
    auto id = row.id<TaskId>();
    auto execution = row.id<ExecutionId>();
    auto seller = row.seller();
    const auto type = row.word<TaskType>();
    auto url = row.checked(RequestUrl::parse(type, row.text()));
    CrawlerTask::State state{.id = std::move(id),
                             .execution = std::move(execution),
                             .seller = std::move(seller),
                             .request_url = std::move(url)};
    state.status = row.word<TaskStatus>();
    state.attempt = row.small_number();
    state.retry_count = row.small_number();
    state.rescue_count = row.small_number();
    state.publications = row.small_number();
    state.lease_until = row.optional_instant();
    state.completed_as = row.optional_word<CompletedAs>();
    state.error_class = row.optional_word<ErrorClass>();
    state.error_message = row.text();
    state.created_at = row.instant();
    state.published_at = row.optional_instant();
    state.started_at = row.optional_instant();
    state.completed_at = row.optional_instant();
    state.updated_at = row.instant();
    state.revision = row.number();
    return CrawlerTask::restore(std::move(state));
}

}  // namespace

Result<CrawlerTask> load_task(Session& session, const TaskId& id) {
    auto row = session.select_one(columns, "FROM crawler_tasks WHERE id = ?", {id});
    if (!row) return Error{Errc::not_found, "there is no task " + id.value};
    return task_of(std::move(*row));
}

void insert_tasks(Session& session, const std::vector<CrawlerTask>& tasks) {
    std::vector<Values> rows;
    rows.reserve(tasks.size());
    for (const auto& task : tasks) rows.push_back(row_of(task));
    session.insert("crawler_tasks", columns, rows);
}

std::set<std::string> asked_already(Session& session, const ExecutionId& run, const std::vector<CrawlerTask>& tasks) {
    std::map<std::string, std::string> texts;
    for (const auto& task : tasks) texts.emplace(digest_of(task), task.state().request_url.text());
    std::set<std::string> asked;
    if (texts.empty()) return asked;
    Values values{run};
    for (const auto& [digest, text] : texts) values.emplace_back(digest);
    const auto rest = "FROM crawler_tasks WHERE execution_id = ? AND request_digest IN " + placeholders(texts.size());
    for (auto& row : session.select({"request_digest"}, rest, values)) asked.insert(texts.at(row.text()));
    return asked;
}

Result<CrawlerTask> update_task(Session& session, const CrawlerTask& task) {
    auto state = task.state();
    ++state.revision;
    auto next = CrawlerTask::restore(std::move(state));
    auto values = row_of(next);
    values.emplace_back(task.state().id);
    values.emplace_back(task.state().revision);
    static const auto text = update_text("crawler_tasks", columns, "id = ? AND revision = ?");
    if (session.execute(text, values) == 1) return next;
    if (session.number("COUNT(*) FROM crawler_tasks WHERE id = ?", {task.state().id}) == 0)
        return Error{Errc::not_found, "there is no task " + task.state().id.value};
    return Error{Errc::conflict, "task " + task.state().id.value + " was saved since it was read"};
}

}  // namespace crawler::adapters::sql
