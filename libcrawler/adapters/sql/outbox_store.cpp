#include <map>
#include <set>

#include "adapters/sql/claim.hpp"
#include "adapters/sql/database.hpp"
#include "adapters/sql/outbox_rows.hpp"
#include "domain/task_table.hpp"

namespace crawler::adapters {
namespace {

using namespace sql;

// Of one subject the oldest unsent entry alone may go. By the status, though waiting_lane says it too: that column's index would
// tempt the server to walk over all that waits.
std::string oldest_of_its_subject(std::string_view table) {
    const std::string t(table);
    return "AND NOT EXISTS (SELECT 1 FROM " + t + " older WHERE older.subject = " + t + ".subject AND older.id < " + t +
           ".id AND older.status NOT IN ('SENT', 'DEAD'))";
}

Values ids_of(const std::vector<OutboxEntry>& entries) {
    Values ids;
    for (const auto& entry : entries) ids.push_back(entry.state().id);
    return ids;
}

std::string among(const std::vector<OutboxEntry>& entries) {
    return "id IN " + placeholders(entries.size());
}

// Which tasks may be published is the task table's to say.
std::vector<TaskStatus> publishable() {
    std::vector<TaskStatus> from;
    for (const auto& entry : names(TaskStatus{})) {
        if (task_table.allows(entry.value, TaskVerb::publish)) from.push_back(entry.value);
    }
    return from;
}

// One that has moved on stays as it is.
void publish_tasks(Session& session, const std::vector<OutboxEntry>& sent, TimePoint now) {
    if (sent.empty()) return;
    const auto from = publishable();
    Values values{TaskStatus::published, now, now, now};
    for (const auto& entry : sent) values.push_back(entry.state().subject);
    for (const auto status : from) values.push_back(status);
    session.execute(
        "UPDATE crawler_tasks SET status = ?, published_at = ?, updated_at = ?, watch_at = ?, "
        "revision = revision + 1 WHERE id IN " +
            placeholders(sent.size()) + " AND status IN " + placeholders(from.size()),
        values);
}

class SqlOutboxStore final : public ports::OutboxStore {
  public:
    using OnSent = void (*)(Session&, const std::vector<OutboxEntry>& sent, TimePoint now);
    SqlOutboxStore(SqlDatabase& database, std::string_view table, OnSent on_sent)
        : database_(database), table_(table), condition_(oldest_of_its_subject(table)), on_sent_(on_sent) {}

    Async<Result<std::vector<OutboxEntry>>> claim(int limit, TimePoint now, Duration lease) override {
        auto body = [=, this](Session& session) { return claim_in(session, limit, now, lease); };
        co_return co_await database_.transact(std::move(body));
    }

    Async<Result<std::size_t>> settle(std::vector<OutboxEntry> entries, TimePoint now) override {
        auto body = [=, this, entries = std::move(entries)](Session& session) {
            return settle_in(session, entries, now);
        };
        co_return co_await database_.transact(std::move(body));
    }

  private:
    Result<std::vector<OutboxEntry>> claim_in(Session& session, int limit, TimePoint now, Duration lease) {
        const Line line{table_, outbox_columns, condition_};
        std::vector<OutboxEntry> claimed;
        for (auto& row : lock_next_in_line(session, line, limit, now, last_)) {
            auto entry = outbox_entry(std::move(row));
            if (const auto done = entry.claim(now, lease); !done) return done.error();
            claimed.push_back(std::move(entry));
        }
        if (claimed.empty()) return claimed;
        Values values{OutboxStatus::processing, now + lease, now + lease};
        const auto ids = ids_of(claimed);
        values.insert(values.end(), ids.begin(), ids.end());
        session.execute("UPDATE " + std::string(table_) +
                            " SET status = ?, lease_until = ?, ready_at = ?, attempt = attempt + 1 WHERE " +
                            among(claimed),
                        values);
        return claimed;
    }

    // Entries that ended alike are settled together, by key, under their attempt.
    Result<std::size_t> settle_in(Session& session, const std::vector<OutboxEntry>& entries, TimePoint now) {
        std::map<int, std::vector<OutboxEntry>> sent;  // by attempt
        std::size_t stored = 0;
        for (const auto& entry : entries) {
            if (entry.state().status == OutboxStatus::sent) {
                sent[entry.state().attempt].push_back(entry);
            } else {
                stored += store_unsent(session, entry) ? 1 : 0;
            }
        }
        for (auto& [attempt, group] : sent) {
            keep_ours(session, group, attempt);
            if (group.empty()) continue;
            Values values{OutboxStatus::sent, now};
            const auto ids = ids_of(group);
            values.insert(values.end(), ids.begin(), ids.end());
            session.execute("UPDATE " + std::string(table_) +
                                " SET status = ?, done_at = ?, lease_until = NULL, ready_at = NULL, "
                                "waiting_lane = NULL WHERE " +
                                among(group),
                            values);
            on_sent_(session, group, now);
            stored += group.size();
        }
        return stored;
    }

    // Those that are still under this very claim; locked.
    void keep_ours(Session& session, std::vector<OutboxEntry>& group, int attempt) {
        auto values = ids_of(group);
        values.push_back(OutboxStatus::processing);
        values.push_back(attempt);
        const auto rest = "FROM " + std::string(table_) + " WHERE " + among(group) +
                          " AND status = ? AND attempt = ? " + std::string(session.dialect().lock_rows());
        const auto rows = session.select({"id"}, rest, values);
        if (rows.size() == group.size()) return;
        std::set<std::string> ours;
        for (auto row : rows) ours.insert(row.text());
        std::erase_if(group, [&](const OutboxEntry& entry) { return !ours.contains(entry.state().id.value); });
    }

    bool store_unsent(Session& session, const OutboxEntry& entry) {
        const auto& s = entry.state();
        const bool is_dead = s.status == OutboxStatus::dead;
        const Value nothing = std::nullopt;
        static const Columns columns{"status",        "retry_count", "due_at",      "lease_until",
                                     "error_message", "ready_at",    "waiting_lane"};
        const auto text = update_text(table_, columns, "id = ? AND status = ? AND attempt = ?");
        return session.execute(text, {s.status, s.retry_count, s.due_at, s.lease_until, s.error_message,
                                      is_dead ? nothing : Value(s.lease_until.value_or(s.due_at)),
                                      is_dead ? nothing : Value(s.lane), s.id, OutboxStatus::processing, s.attempt}) ==
               1;
    }

    SqlDatabase& database_;
    std::string_view table_;
    std::string condition_;
    OnSent on_sent_;
    LastLane last_;
};

void nothing_else(Session&, const std::vector<OutboxEntry>&, TimePoint) {}

}  // namespace

std::unique_ptr<ports::OutboxStore> make_sql_task_outbox(SqlDatabase& database) {
    return std::make_unique<SqlOutboxStore>(database, task_outbox_table, publish_tasks);
}

std::unique_ptr<ports::OutboxStore> make_sql_scheduler_outbox(SqlDatabase& database) {
    return std::make_unique<SqlOutboxStore>(database, scheduler_outbox_table, nothing_else);
}

std::unique_ptr<ports::OutboxStore> make_sql_product_outbox(SqlDatabase& database) {
    return std::make_unique<SqlOutboxStore>(database, product_outbox_table, nothing_else);
}

}  // namespace crawler::adapters
