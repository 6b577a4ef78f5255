#include <map>

#include "adapters/sql/database.hpp"

namespace crawler::adapters {
namespace {

using namespace sql;
using ports::Expendable;

// Where something expendable stands, and by which index it is found: the time at which it came to its end.
struct Shelf {
    std::string_view table;
    std::string_view key;
    std::string_view ended_at;
    std::string_view condition;  // what else a row must be, "AND ..."; may be empty
};

// Said by what a row is not: by what it is, SQLite would go by an index on the status, and look at all that is done with.
constexpr std::string_view is_sent = "AND status = 'SENT'";

Shelf shelf_of(Expendable what) {
    switch (what) {
        case Expendable::finished_tasks:
            return {"crawler_tasks", "id", "completed_at",
                    "AND status NOT IN ('WAITING', 'PUBLISHED', 'IN_PROGRESS', 'RETRY') AND EXISTS (SELECT 1 FROM "
                    "crawling_schedule_executions run "
                    "WHERE run.id = crawler_tasks.execution_id AND run.status IN ('COMPLETED', 'FAILED') AND run.proof "
                    "IS NOT NULL)"};
        case Expendable::sent_tasks:
            return {"crawl_task_outbox", "id", "done_at", is_sent};
        case Expendable::sent_schedules:
            return {"scheduler_outbox", "id", "done_at", is_sent};
        case Expendable::sent_products:
            return {"product_outbox", "id", "done_at", is_sent};
        case Expendable::superseded_raws:
            // Only superseded ones have a done_at. That none of them is anybody's latest is asked again all the same: what is
            // deleted cannot be replayed.
            return {"crawled_raw", "id", "done_at",
                    "AND status NOT IN ('PENDING', 'FAILED', 'QUARANTINED') AND NOT EXISTS (SELECT 1 FROM "
                    "product_raw_data facet "
                    "WHERE facet.raw_id = crawled_raw.id) AND NOT EXISTS (SELECT 1 FROM crawler_tasks task "
                    "JOIN crawling_schedule_executions run ON run.id = task.execution_id "
                    "WHERE task.id = crawled_raw.task_id AND run.proof IS NULL)"};
        case Expendable::ledger_entries:
            break;
    }
    return {"request_ledger", "reservation", "reserved_at", ""};
}

// The last row that went. The next look begins behind it, so that neither what has to stay (tasks of a run that is still open)
// nor what the server has yet to clear away of the deleted is walked over batch by batch.
struct Place {
    TimePoint ended_at = TimePoint::min();
    std::string key;
};

struct Batch {
    std::size_t rows = 0;
    Place last;
};

Result<Batch> purge_in(Session& session, const Shelf& shelf, const Place& from, TimePoint before, int limit) {
    const std::string table(shelf.table), key(shelf.key), ended_at(shelf.ended_at);
    const auto rest = "FROM " + table + " WHERE " + ended_at + " < ? AND " + ended_at + " >= ? AND (" + ended_at +
                      " > ? OR " + key + " > ?) " + std::string(shelf.condition) + " ORDER BY " + ended_at + ", " +
                      key + " LIMIT ? " + std::string(session.dialect().lock_free_rows());
    Batch batch;
    Values keys;
    for (auto& row :
         session.select({shelf.key, shelf.ended_at}, rest, {before, from.ended_at, from.ended_at, from.key, limit})) {
        batch.last.key = row.text();
        batch.last.ended_at = row.instant();
        keys.emplace_back(batch.last.key);
    }
    if (keys.empty()) return batch;
    session.execute("DELETE FROM " + table + " WHERE " + key + " IN " + placeholders(keys.size()), keys);
    batch.rows = keys.size();
    return batch;
}

class SqlRetention final : public ports::Retention {
  public:
    explicit SqlRetention(SqlDatabase& database) : database_(database) {}

    Async<Result<std::size_t>> purge(Expendable what, TimePoint before, int limit) override {
        auto body = [shelf = shelf_of(what), from = places_[what], before, limit](Session& session) {
            return purge_in(session, shelf, from, before, limit);
        };
        const auto batch = co_await database_.transact(std::move(body));
        if (!batch) co_return batch.error();
        // Where there is no more, the next pass begins with the oldest again.
        const bool has_more = batch->rows == static_cast<std::size_t>(limit);
        places_[what] = has_more ? batch->last : Place{};
        co_return batch->rows;
    }

  private:
    SqlDatabase& database_;
    std::map<Expendable, Place> places_;  // touched on the I/O thread alone
};

}  // namespace

std::unique_ptr<ports::Retention> make_sql_retention(SqlDatabase& database) {
    return std::make_unique<SqlRetention>(database);
}

}  // namespace crawler::adapters
