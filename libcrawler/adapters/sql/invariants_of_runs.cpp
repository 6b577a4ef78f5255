#include "adapters/sql/invariants.hpp"

namespace crawler::adapters::sql {
namespace {

const std::string of_task = "entry WHERE entry.subject = crawler_tasks.id";
const std::string live_entry =
    "EXISTS (SELECT 1 FROM crawl_task_outbox " + of_task + " AND entry.waiting_lane IS NOT NULL)";
const std::string any_entry = "EXISTS (SELECT 1 FROM crawl_task_outbox " + of_task + ")";
const std::string useful_entry = "EXISTS (SELECT 1 FROM crawl_task_outbox " + of_task +
                                 " AND (entry.waiting_lane IS NOT NULL OR entry.status = 'SENT'))";

const std::string is_open = "status IN ('WAITING', 'PUBLISHED', 'IN_PROGRESS', 'RETRY')";
const std::string has_ended = "status IN ('COMPLETED', 'FAILED')";

InvariantRule of_tasks(std::string name, std::string meaning, Columns shown, const std::string& condition,
                       std::vector<Moment> moments = {}) {
    return {std::move(name),   std::move(meaning),
            "crawler_tasks",   {"id"},
            std::move(shown),  "FROM crawler_tasks WHERE " + condition,
            std::move(moments)};
}

std::string tasks_of_run(const std::string& condition) {
    return "(SELECT COUNT(*) FROM crawler_tasks task WHERE task.execution_id = crawling_schedule_executions.id" +
           condition + ")";
}

InvariantRule of_runs(std::string name, std::string meaning, Columns shown, const std::string& condition,
                      std::vector<Moment> moments = {}) {
    return {std::move(name),
            std::move(meaning),
            "crawling_schedule_executions",
            {"id"},
            std::move(shown),
            "FROM crawling_schedule_executions WHERE " + condition,
            std::move(moments)};
}

}  // namespace

InvariantRules task_invariants() {
    const auto lacks = [](const std::string& entry) { return " AND NOT " + entry; };
    return {
        of_tasks("task_unpublished", "waits to be published, and no outbox entry will do it", {"status", "watch_at"},
                 "status IN ('WAITING', 'RETRY') AND watch_at < ?" + lacks(live_entry), {Moment::unpublished}),
        of_tasks("task_published_without_entry", "is PUBLISHED and never had an outbox entry",
                 {"status", "published_at"}, "status = 'PUBLISHED'" + lacks(any_entry)),
        of_tasks("task_published_never_sent", "is PUBLISHED, and none of its outbox entries was sent or will be",
                 {"status", "published_at"},
                 "status = 'PUBLISHED' AND watch_at < ? AND " + any_entry + lacks(useful_entry), {Moment::unpublished}),
        of_tasks("task_published_for_ever", "was PUBLISHED long ago, never started, and nothing will publish it again",
                 {"status", "published_at"}, "status = 'PUBLISHED' AND watch_at < ?" + lacks(live_entry),
                 {Moment::run_without_progress}),
        of_tasks("task_lease_over", "is IN_PROGRESS though its lease is over", {"status", "lease_until"},
                 "status = 'IN_PROGRESS' AND lease_until < ?", {Moment::lease_over}),
        of_tasks("task_unleased", "is IN_PROGRESS without a lease: nobody would take it over", {"status", "started_at"},
                 "status = 'IN_PROGRESS' AND lease_until IS NULL"),
        of_tasks("task_leased_at_rest", "has a lease though nobody works on it", {"status", "lease_until"},
                 "lease_until IS NOT NULL AND status <> 'IN_PROGRESS'"),
        of_tasks("task_open_unwatched", "is open, and no sweep would ever look at it", {"status", "updated_at"},
                 is_open + " AND watch_at IS NULL"),
        of_tasks("task_watched_wrongly", "is watched from another time than its lease ends, or its last step was",
                 {"status", "watch_at", "lease_until", "updated_at"},
                 is_open + " AND watch_at <> COALESCE(lease_until, updated_at)"),
        of_tasks("task_ended_but_watched", "has ended, and sweeps would still look at it", {"status", "watch_at"},
                 has_ended + " AND watch_at IS NOT NULL"),
        of_tasks("task_ended_without_time", "has ended at no time, so that it is never purged",
                 {"status", "updated_at"}, "completed_at IS NULL AND " + has_ended),
        of_tasks("task_open_with_end", "is open though it has a time at which it ended", {"status", "completed_at"},
                 is_open + " AND completed_at IS NOT NULL"),
        of_tasks(
            "task_of_unknown_run", "belongs to a run that there is not", {"execution_id"},
            "NOT EXISTS (SELECT 1 FROM crawling_schedule_executions run WHERE run.id = crawler_tasks.execution_id)"),
        of_tasks("task_twice_in_run", "asks what an older task of its run asks", {"request_url"},
                 "EXISTS (SELECT 1 FROM crawler_tasks older WHERE older.execution_id = crawler_tasks.execution_id AND "
                 "older.request_digest = crawler_tasks.request_digest AND older.id < crawler_tasks.id)"),
    };
}

InvariantRules run_invariants() {
    static const auto all = tasks_of_run("");
    static const auto completed = tasks_of_run(" AND task.status = 'COMPLETED'");
    static const auto failed = tasks_of_run(" AND task.status = 'FAILED'");
    static const auto open = tasks_of_run(" AND task." + is_open);
    static const auto shown_completed = completed + " AS tasks_completed";
    static const auto shown_failed = failed + " AS tasks_failed";
    static const auto shown_open = open + " AS tasks_open";
    // Ended tasks of a run that is over may have been purged; open ones never are.
    const auto wrong =
        completed + " > completed_tasks OR " + failed + " > failed_tasks OR " + open +
        " <> total_tasks - completed_tasks - failed_tasks OR (status IN ('STARTED', 'IN_PROGRESS') AND (" + all +
        " <> total_tasks OR " + completed + " <> completed_tasks OR " + failed + " <> failed_tasks))";
    return {
        of_runs("run_counters_wrong", "counts other tasks than it has",
                {"status", "total_tasks", "completed_tasks", "failed_tasks", shown_completed, shown_failed, shown_open},
                wrong),
        of_runs("run_open_with_nothing_open", "is IN_PROGRESS though every task of it has ended",
                {"status", "total_tasks", "updated_at"}, "status = 'IN_PROGRESS' AND " + open + " = 0"),
        of_runs("run_completed_with_open_tasks", "is COMPLETED though tasks of it are open", {"status", shown_open},
                "status = 'COMPLETED' AND " + open + " > 0"),
        of_runs("run_without_progress", "has had no task that ended for too long", {"status", "updated_at"},
                "status IN ('STARTED', 'IN_PROGRESS') AND updated_at < ?", {Moment::run_without_progress}),
        of_runs("run_end_unclear", "is over at no time, or open though it has a time at which it was over",
                {"status", "completed_at"}, "(status IN ('COMPLETED', 'FAILED')) <> (completed_at IS NOT NULL)"),
        of_runs("run_beside_another", "is open while an older run of its seller is", {"seller_id", "status"},
                "status IN ('STARTED', 'IN_PROGRESS') AND EXISTS (SELECT 1 FROM crawling_schedule_executions older "
                "WHERE older.seller_id = crawling_schedule_executions.seller_id AND older.status IN ('STARTED', "
                "'IN_PROGRESS') AND older.id < crawling_schedule_executions.id)"),
        of_runs("run_never_concluded", "is over and not proven, and nobody would ever look whether it can be",
                {"status", "completed_at"},
                "status IN ('COMPLETED', 'FAILED') AND proof IS NULL AND conclude_at IS NULL"),
        of_runs("run_concluded_too_soon", "waits to be proven though it is open, or is proven already",
                {"status", "conclude_at"},
                "conclude_at IS NOT NULL AND (status NOT IN ('COMPLETED', 'FAILED') OR proof IS NOT NULL)"),
        of_runs("run_unproven", "has been over for too long without a proof", {"status", "completed_at"},
                "conclude_at IS NOT NULL AND completed_at < ?", {Moment::run_without_progress}),
        of_runs("run_of_unknown_seller", "is of a seller that there is not", {"seller_id"},
                "NOT EXISTS (SELECT 1 FROM sellers seller WHERE seller.seller_id = "
                "crawling_schedule_executions.seller_id)"),
    };
}

}  // namespace crawler::adapters::sql
