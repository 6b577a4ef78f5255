#include <algorithm>

#include "adapters/sql/database.hpp"
#include "adapters/sql/execution_rows.hpp"
#include "adapters/sql/outbox_rows.hpp"
#include "adapters/sql/product_rows.hpp"
#include "adapters/sql/seller_rows.hpp"
#include "ports/run_conclusions.hpp"

namespace crawler::adapters {
namespace {

using namespace sql;

constexpr std::size_t most_at_once = 2000;

Result<std::vector<CrawlingScheduleExecution>> claim_in(Session& session, int limit, TimePoint now, Duration lease) {
    std::vector<CrawlingScheduleExecution> claimed;
    Values values{now + lease};
    const auto rest = "FROM crawling_schedule_executions WHERE conclude_at <= ? ORDER BY conclude_at, id LIMIT ? " +
                      std::string(session.dialect().lock_free_rows());
    for (auto& row : session.select(execution_columns, rest, {now, limit})) {
        claimed.push_back(execution_of(std::move(row)));
        values.emplace_back(claimed.back().state().id);
    }
    if (claimed.empty()) return claimed;
    session.execute(
        "UPDATE crawling_schedule_executions SET conclude_at = ? WHERE id IN " + placeholders(claimed.size()), values);
    return claimed;
}

// By the index on (execution_id, status).
void count_tasks(Session& session, const ExecutionId& id, RunEvidence& evidence) {
    const auto* rest = "FROM crawler_tasks WHERE execution_id = ? GROUP BY type, status";
    for (auto& row : session.select({"type", "status", "COUNT(*)"}, rest, {id})) {
        const auto type = row.word<TaskType>();
        const auto status = row.word<TaskStatus>();
        const auto count = row.number();
        const bool has_ended = status == TaskStatus::completed || status == TaskStatus::failed;
        evidence.tasks += count;
        if (!has_ended) evidence.open_tasks += count;
        if (type == TaskType::search) evidence.searches += count;
        if (type != TaskType::minishop) continue;
        evidence.pages += count;
        if (status == TaskStatus::completed) evidence.pages_completed += count;
    }
}

bool has_unread_answers(Session& session, const ExecutionId& id) {
    const auto* rest =
        "FROM crawler_tasks task JOIN crawled_raw raw ON raw.task_id = task.id "
        "WHERE task.execution_id = ? AND raw.status IN (?, ?) LIMIT 1";
    return session.select_one({"raw.id"}, rest, {id, RawStatus::pending, RawStatus::failed}).has_value();
}

// A task that was revived may have several answers; each is a question of its own, and the best of them counts.
std::vector<ItemQuestion> questions_of(Session& session, const ExecutionId& id) {
    std::vector<ItemQuestion> questions;
    const auto* rest =
        "FROM crawler_tasks task LEFT JOIN crawled_raw raw ON raw.task_id = task.id "
        "WHERE task.execution_id = ? AND task.type IN (?, ?)";
    for (auto& row : session.select({"task.type", "task.request_url", "task.status", "task.completed_as", "raw.status"},
                                    rest, {id, TaskType::product_detail, TaskType::product_option})) {
        ItemQuestion question;
        question.asked = row.word<TaskType>();
        const auto url = row.checked(RequestUrl::parse(question.asked, row.text()));
        question.item = url.item().value_or(0);
        question.task = row.word<TaskStatus>();
        question.completed_as = row.optional_word<CompletedAs>();
        question.answer = row.optional_word<RawStatus>();
        questions.push_back(question);
    }
    return questions;
}

void add_known(Session& session, const std::string& condition, const Values& values, RunEvidence& evidence) {
    const auto rest =
        "FROM products LEFT JOIN product_raw_data facet ON facet.item_no = products.item_no AND facet.kind <> "
        "'LISTING' WHERE " +
        condition;
    for (auto& row : session.select({"products.item_no", "products.seller_id", "facet.kind"}, rest, values)) {
        const auto item = row.number();
        auto& known = evidence.known.try_emplace(item, KnownItem{row.seller()}).first->second;
        const auto kind = row.optional_word<FacetKind>();
        known.has_detail = known.has_detail || kind == FacetKind::detail;
        known.has_option = known.has_option || kind == FacetKind::option;
    }
}

// What the seller has, in one go; and what of the run's items is another's.
void look_up_items(Session& session, const SellerId& seller, RunEvidence& evidence) {
    add_known(session, "products.seller_id = ?", {seller}, evidence);
    std::vector<ItemNo> others;
    for (const auto item : evidence.listed()) {
        if (!evidence.known.contains(item)) others.push_back(item);
    }
    for (std::size_t at = 0; at < others.size(); at += most_at_once) {
        const auto first = others.begin() + static_cast<std::ptrdiff_t>(at);
        const auto count = std::min(most_at_once, others.size() - at);
        const Values values(first, first + static_cast<std::ptrdiff_t>(count));
        add_known(session, "products.item_no IN " + placeholders(count), values, evidence);
    }
}

Result<RunEvidence> evidence_in(Session& session, const ExecutionId& id) {
    auto run = load_execution(session, id, ForUpdate::no);
    if (!run) return run.error();
    RunEvidence evidence;
    evidence.announced = run->state().announced;
    count_tasks(session, id, evidence);
    evidence.has_unread_answers = has_unread_answers(session, id);
    if (evidence.has_unread_answers) return evidence;
    evidence.questions = questions_of(session, id);
    look_up_items(session, run->state().seller, evidence);
    return evidence;
}

Result<std::vector<ItemNo>> on_record_in(Session& session, const SellerId& seller, TimePoint listed_at, ItemNo after,
                                         int limit) {
    const auto* rest =
        "FROM products WHERE seller_id = ? AND item_no > ? AND status <> ? AND (missing_at IS NULL OR missing_at <> ?) "
        "AND (missing_before_at IS NULL OR missing_before_at <> ?) ORDER BY item_no LIMIT ?";
    std::vector<ItemNo> items;
    for (auto& row :
         session.select({"item_no"}, rest, {seller, after, ProductStatus::deleted, listed_at, listed_at, limit}))
        items.push_back(row.number());
    return items;
}

// Holds the run as it was read: what is concluded from it, nobody opens it meanwhile.
Result<> hold_unchanged(Session& session, const CrawlingScheduleExecution& run) {
    const auto stored = load_execution(session, run.state().id, ForUpdate::yes);
    if (!stored) return stored.error();
    if (stored->state().revision == run.state().revision) return {};
    return Error{Errc::conflict, "run " + run.state().id.value + " was saved since it was read"};
}

Result<> delist_in(Session& session, const ports::Delisting& delisting) {
    if (auto held = hold_unchanged(session, delisting.run); !held) return held;
    const auto no_answer = RawId{};  // their facets stay as they are
    if (const auto saved = save_products(session, delisting.products, no_answer); !saved) return saved.error();
    if (auto melted = melt_entries(session, delisting.melted); !melted) return melted;
    insert_history(session, delisting.history);
    insert_entries(session, product_outbox_table, delisting.events);
    return {};
}

class SqlRunConclusions final : public ports::RunConclusions {
  public:
    explicit SqlRunConclusions(SqlDatabase& database) : database_(database) {}

    Async<Result<std::vector<CrawlingScheduleExecution>>> claim(int limit, TimePoint now, Duration lease) override {
        auto body = [=](Session& session) { return claim_in(session, limit, now, lease); };
        co_return co_await database_.transact(std::move(body));
    }

    Async<Result<>> look_again(ExecutionId run, TimePoint at) override {
        auto body = [run = std::move(run), at](Session& session) -> Result<> {
            session.execute(
                "UPDATE crawling_schedule_executions SET conclude_at = ? WHERE id = ? AND conclude_at IS NOT NULL",
                {at, run});
            return {};
        };
        co_return co_await database_.transact(std::move(body));
    }

    Async<Result<RunEvidence>> evidence(ExecutionId run) override {
        auto body = [run = std::move(run)](Session& session) { return evidence_in(session, run); };
        co_return co_await database_.read(std::move(body));
    }

    Async<Result<std::vector<ItemNo>>> on_record(SellerId seller, TimePoint listed_at, ItemNo after,
                                                 int limit) override {
        auto body = [=, seller = std::move(seller)](Session& session) {
            return on_record_in(session, seller, listed_at, after, limit);
        };
        co_return co_await database_.read(std::move(body));
    }

    Async<Result<>> delist(ports::Delisting delisting) override {
        auto body = [delisting = std::move(delisting)](Session& session) { return delist_in(session, delisting); };
        co_return co_await database_.transact(std::move(body));
    }

    Async<Result<>> conclude(CrawlingScheduleExecution run) override {
        auto body = [run = std::move(run)](Session& session) -> Result<> {
            if (!run.state().proof)
                return Error{Errc::invalid, "nothing of run " + run.state().id.value + " is proven"};
            if (auto held = hold_unchanged(session, run); !held) return held;
            update_execution(session, run);
            return {};
        };
        co_return co_await database_.transact(std::move(body));
    }

  private:
    SqlDatabase& database_;
};

}  // namespace

std::unique_ptr<ports::RunConclusions> make_sql_run_conclusions(SqlDatabase& database) {
    return std::make_unique<SqlRunConclusions>(database);
}

}  // namespace crawler::adapters
