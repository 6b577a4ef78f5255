#include <algorithm>
#include <limits>
#include <map>
#include <set>

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

// Those that wait stand in the seller's line, which is short where nothing waits, however many tasks the run has.
bool has_unread_answers(Session& session, const CrawlingScheduleExecution::State& run) {
    const auto* rest =
        "FROM crawled_raw WHERE waiting_lane = ? AND EXISTS (SELECT 1 FROM crawler_tasks task WHERE task.id = "
        "crawled_raw.task_id AND task.execution_id = ?) LIMIT 1";
    return session.select_one({"id"}, rest, {run.seller, run.id}).has_value();
}

void count_task(TaskType type, TaskStatus status, RunEvidence& evidence) {
    const bool has_ended = status == TaskStatus::completed || status == TaskStatus::failed;
    ++evidence.tasks;
    if (!has_ended) ++evidence.open_tasks;
    if (type == TaskType::search) ++evidence.searches;
    if (type != TaskType::minishop) return;
    ++evidence.pages;
    if (status == TaskStatus::completed) ++evidence.pages_completed;
}

// The questions that tasks ask about items, by the tasks' ids.
using Questions = std::map<std::string, ItemQuestion>;

// A task that was revived may have several answers; each is a question of its own, and the best of them counts.
void add_questions(Session& session, const Questions& questions, RunEvidence& evidence) {
    if (questions.empty()) return;
    Values tasks;
    for (const auto& [task, question] : questions) tasks.emplace_back(task);
    std::set<std::string> answered;
    const auto rest = "FROM crawled_raw WHERE task_id IN " + placeholders(tasks.size());
    for (auto& row : session.select({"task_id", "status"}, rest, tasks)) {
        auto task = row.text();
        auto question = questions.at(task);
        question.answer = row.word<RawStatus>();
        evidence.questions.push_back(question);
        answered.insert(std::move(task));
    }
    for (const auto& [task, question] : questions) {
        if (!answered.contains(task)) evidence.questions.push_back(question);
    }
}

// Some of the run's tasks; the digest of the last one.
std::optional<std::string> read_tasks(Session& session, const std::string& rest, const Values& values,
                                      RunEvidence& evidence) {
    Questions questions;
    std::optional<std::string> last;
    for (auto& row :
         session.select({"id", "type", "request_url", "status", "completed_as", "request_digest"}, rest, values)) {
        auto id = row.text();
        ItemQuestion question;
        question.asked = row.word<TaskType>();
        const auto url = row.checked(RequestUrl::parse(question.asked, row.text()));
        question.item = url.item().value_or(0);
        question.task = row.word<TaskStatus>();
        question.completed_as = row.optional_word<CompletedAs>();
        last = row.optional_text();
        count_task(question.asked, question.task, evidence);
        if (asks_about_item(question.asked)) questions.emplace(std::move(id), question);
    }
    add_questions(session, questions, evidence);
    return last;
}

// By the index on (execution_id, request_digest), a page at a time: a run may have millions. Tasks that are older than the digest have
// none, and come first.
void read_all_tasks(Session& session, const ExecutionId& id, RunEvidence& evidence) {
    const std::string of_run = "FROM crawler_tasks WHERE execution_id = ? AND request_digest ";
    (void)read_tasks(session, of_run + "IS NULL", {id}, evidence);
    const auto rest = of_run + "> ? ORDER BY request_digest LIMIT ?";
    for (std::optional<std::string> last = ""; last;)
        last = read_tasks(session, rest, {id, *last, static_cast<std::int64_t>(most_at_once)}, evidence);
}

const std::string has_facet =
    "CASE WHEN EXISTS (SELECT 1 FROM product_raw_data facet WHERE facet.item_no = "
    "products.item_no AND facet.kind = ";
const std::string has_detail = has_facet + "'DETAIL') THEN 1 ELSE 0 END";
const std::string has_option = has_facet + "'OPTION') THEN 1 ELSE 0 END";

// How many there were, and the last.
std::pair<std::size_t, ItemNo> add_known(Session& session, const std::string& condition, const Values& values,
                                         RunEvidence& evidence) {
    std::pair<std::size_t, ItemNo> found{};
    for (auto& row :
         session.select({"item_no", "seller_id", has_detail, has_option}, "FROM products WHERE " + condition, values)) {
        const auto item = row.number();
        KnownItem known{row.seller()};
        known.has_detail = row.flag();
        known.has_option = row.flag();
        evidence.known.insert_or_assign(item, std::move(known));
        found = {found.first + 1, item};
    }
    return found;
}

// What the seller has, and what of the run's items is another's; both some at a time.
void look_up_items(Session& session, const SellerId& seller, RunEvidence& evidence) {
    auto after = std::numeric_limits<ItemNo>::min();
    for (bool has_more = true; has_more;) {
        const auto [count, last] = add_known(session, "seller_id = ? AND item_no > ? ORDER BY item_no LIMIT ?",
                                             {seller, after, static_cast<std::int64_t>(most_at_once)}, evidence);
        has_more = count == most_at_once;
        after = last;
    }
    std::vector<ItemNo> others;
    for (const auto item : evidence.listed()) {
        if (!evidence.known.contains(item)) others.push_back(item);
    }
    for (std::size_t at = 0; at < others.size(); at += most_at_once) {
        const auto first = others.begin() + static_cast<std::ptrdiff_t>(at);
        const auto count = std::min(most_at_once, others.size() - at);
        const Values values(first, first + static_cast<std::ptrdiff_t>(count));
        (void)add_known(session, "item_no IN " + placeholders(count), values, evidence);
    }
}

Result<RunEvidence> evidence_in(Session& session, const ExecutionId& id) {
    auto run = load_execution(session, id, ForUpdate::no);
    if (!run) return run.error();
    RunEvidence evidence;
    evidence.announced = run->state().announced;
    evidence.has_unread_answers = has_unread_answers(session, run->state());
    if (evidence.has_unread_answers) return evidence;
    read_all_tasks(session, id, evidence);
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
