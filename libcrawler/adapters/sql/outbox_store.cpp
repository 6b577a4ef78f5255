#include <algorithm>
#include <map>
#include <set>

#include "adapters/sql/claim.hpp"
#include "adapters/sql/database.hpp"
#include "adapters/sql/free_text.hpp"
#include "adapters/sql/outbox_rows.hpp"
#include "adapters/sql/seller_rows.hpp"
#include "domain/task_table.hpp"

namespace crawler::adapters {
namespace {

using namespace sql;

// Of one subject the oldest unsent entry alone may go. By the status, though waiting_lane says it too: that column's index would
// tempt the server to walk over all that waits.
std::string oldest_of_its_subject(std::string_view table) {
    const std::string t(table);
    return "AND NOT EXISTS (SELECT 1 FROM " + t + " older WHERE older.subject = " + t +
           ".subject AND older.number <= " + t + ".number AND (older.number < " + t + ".number OR older.id < " + t +
           ".id) AND older.status NOT IN ('SENT', 'DEAD'))";
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

// What is done to what an entry is about: once some are SENT, and once one is DEAD. What has moved on stays as it is.
struct Effects {
    void (*on_sent)(Session&, const std::vector<OutboxEntry>& sent, TimePoint now);
    void (*on_dead)(Session&, const OutboxEntry& entry, TimePoint now);
};

void publish_tasks(Session& session, const std::vector<OutboxEntry>& sent, TimePoint now) {
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

// A younger order says all of what shall be, and decides.
void fail_schedule(Session& session, const OutboxEntry& order, TimePoint now) {
    const auto& s = order.state();
    const std::string table(scheduler_outbox_table);
    const auto rest = "COUNT(*) FROM " + table + " this JOIN " + table +
                      " younger ON younger.subject = this.subject WHERE this.id = ? AND (younger.number > this.number "
                      "OR (younger.number = this.number AND younger.id > this.id))";
    const auto seller = SellerId::parse(s.subject);
    if (!seller || session.number(rest, {s.id}) > 0) return;
    auto schedule = load_schedule(session, *seller, ForUpdate::yes);
    if (schedule && schedule->mark_failed(s.error_message, now)) (void)update_schedule(session, *schedule);
}

class SqlOutboxStore final : public ports::OutboxStore {
  public:
    SqlOutboxStore(SqlDatabase& database, std::string_view table, Effects effects)
        : database_(database), table_(table), condition_(oldest_of_its_subject(table)), effects_(effects) {}

    Async<Result<std::vector<OutboxEntry>>> claim(int limit, TimePoint now, Duration lease) override {
        auto body = [=, this](Session& session) { return claim_in(session, limit, now, lease); };
        auto claimed = co_await database_.transact(std::move(body));
        if (!claimed) co_return claimed.error();
        database_.tell(claimed->set_aside);
        co_return std::move(claimed->things);
    }

    Async<Result<std::size_t>> settle(std::vector<OutboxEntry> entries, TimePoint now) override {
        auto body = [=, this, entries = std::move(entries)](Session& session) {
            return settle_in(session, entries, now);
        };
        co_return co_await database_.transact(std::move(body));
    }

  private:
    // What is put aside leaves room for others.
    Result<Claimed<OutboxEntry>> claim_in(Session& session, int limit, TimePoint now, Duration lease) {
        Claimed<OutboxEntry> claimed;
        for (bool has_room = true; has_room;) {
            const auto known_bad = claimed.set_aside.size();
            const auto missing = limit - static_cast<int>(claimed.things.size());
            auto entries = claim_some(session, missing, now, lease, claimed.set_aside);
            std::ranges::move(entries, std::back_inserter(claimed.things));
            has_room = claimed.set_aside.size() > known_bad && claimed.set_aside.size() < most_set_aside &&
                       std::ssize(claimed.things) < limit;
        }
        return claimed;
    }

    std::vector<OutboxEntry> claim_some(Session& session, int limit, TimePoint now, Duration lease,
                                        std::vector<ports::RowSetAside>& set_aside) {
        std::vector<OutboxEntry> claimed;
        for (auto& row : lock_next_in_line(session, {table_, outbox_columns, condition_}, limit, now, last_)) {
            const OutboxId id{row.first()};
            auto entry = read_row(std::move(row), outbox_entry);
            if (const auto done = entry ? entry->claim(now, lease) : Result<>(entry.error()); !done) {
                set_aside.push_back({std::string(table_) + " " + id.value, done.error().detail});
                entry ? put_in_place(session, table_, *entry) : kill_entry(session, table_, id, done.error().detail);
                continue;
            }
            claimed.push_back(*std::move(entry));
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
                const bool is_ours = store_unsent(session, entry);
                stored += is_ours ? 1 : 0;
                if (is_ours && entry.state().status == OutboxStatus::dead) effects_.on_dead(session, entry, now);
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
            effects_.on_sent(session, group, now);
            stored += group.size();
        }
        return stored;
    }

    // Those that are still under this very claim; locked.
    void keep_ours(Session& session, std::vector<OutboxEntry>& group, int attempt) {
        auto values = ids_of(group);
        values.push_back(OutboxStatus::processing);
        values.push_back(attempt);
        const auto rest = "FROM " + std::string(table_) + std::string(session.dialect().by_key()) + "WHERE " +
                          among(group) + " AND status = ? AND attempt = ? " +
                          std::string(session.dialect().lock_rows());
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
        return session.execute(text, {s.status, s.retry_count, s.due_at, s.lease_until, free_text(s.error_message),
                                      is_dead ? nothing : Value(s.lease_until.value_or(s.due_at)),
                                      is_dead ? nothing : Value(s.lane), s.id, OutboxStatus::processing, s.attempt}) ==
               1;
    }

    SqlDatabase& database_;
    std::string_view table_;
    std::string condition_;
    Effects effects_;
    LastLane last_;
};

template <class What>
void nothing_else(Session&, const What&, TimePoint) {}

}  // namespace

std::unique_ptr<ports::OutboxStore> make_sql_task_outbox(SqlDatabase& database) {
    return std::make_unique<SqlOutboxStore>(database, task_outbox_table, Effects{publish_tasks, nothing_else});
}

std::unique_ptr<ports::OutboxStore> make_sql_scheduler_outbox(SqlDatabase& database) {
    return std::make_unique<SqlOutboxStore>(database, scheduler_outbox_table, Effects{nothing_else, fail_schedule});
}

std::unique_ptr<ports::OutboxStore> make_sql_product_outbox(SqlDatabase& database) {
    return std::make_unique<SqlOutboxStore>(database, product_outbox_table, Effects{nothing_else, nothing_else});
}

}  // namespace crawler::adapters
