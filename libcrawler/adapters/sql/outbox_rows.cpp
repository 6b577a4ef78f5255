#include "adapters/sql/outbox_rows.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "adapters/sql/free_text.hpp"

namespace crawler::adapters::sql {
namespace {

const Columns all_columns{"id",         "subject",      "message_group", "lane",    "payload",     "idempotency_key",
                          "status",     "attempt",      "retry_count",   "due_at",  "lease_until", "error_message",
                          "created_at", "waiting_lane", "ready_at",      "done_at", "number"};

bool is_unsent(const OutboxEntry::State& state) {
    return state.status != OutboxStatus::sent && state.status != OutboxStatus::dead;
}

Values row_of(const OutboxEntry& entry, std::int64_t number) {
    const auto& s = entry.state();
    const Value nothing = std::nullopt;
    return {s.id,
            s.subject,
            s.group,
            s.lane,
            s.payload,
            s.idempotency_key,
            s.status,
            s.attempt,
            s.retry_count,
            s.due_at,
            s.lease_until,
            free_text(s.error_message),
            s.created_at,
            is_unsent(s) ? Value(s.lane) : nothing,
            is_unsent(s) ? Value(s.lease_until.value_or(s.due_at)) : nothing,
            s.status == OutboxStatus::sent ? Value(s.created_at) : nothing,
            number};
}

// By subject, the greatest number that an entry of it has.
using Numbers = std::map<std::string, std::int64_t>;

Numbers last_numbers(Session& session, std::string_view table, const std::vector<OutboxEntry>& entries) {
    constexpr std::size_t most_at_once = 500;
    std::set<std::string> distinct;
    for (const auto& entry : entries) distinct.insert(entry.state().subject);
    const Values subjects(distinct.begin(), distinct.end());
    Numbers last;
    for (std::size_t at = 0; at < subjects.size(); at += most_at_once) {
        const auto first = subjects.begin() + static_cast<std::ptrdiff_t>(at);
        const auto count = std::min(most_at_once, subjects.size() - at);
        const auto rest =
            "FROM " + std::string(table) + " WHERE subject IN " + placeholders(count) + " GROUP BY subject";
        for (auto& row : session.select({"subject", "MAX(number)"}, rest,
                                        Values(first, first + static_cast<std::ptrdiff_t>(count)))) {
            auto subject = row.text();
            last[std::move(subject)] = row.number();
        }
    }
    return last;
}

}  // namespace

const Columns outbox_columns(all_columns.begin(), all_columns.begin() + 13);

OutboxEntry outbox_entry(Row row) {
    OutboxEntry::State state;
    state.id = row.id<OutboxId>();
    state.subject = row.text();
    state.group = row.text();
    state.lane = row.text();
    state.payload = row.text();
    state.idempotency_key = row.text();
    state.status = row.word<OutboxStatus>();
    state.attempt = row.small_number();
    state.retry_count = row.small_number();
    state.due_at = row.instant();
    state.lease_until = row.optional_instant();
    state.error_message = row.text();
    state.created_at = row.instant();
    return OutboxEntry::restore(std::move(state));
}

void insert_entries(Session& session, std::string_view table, const std::vector<OutboxEntry>& entries) {
    // Of one subject each is numbered behind what there is: by the order in which they are written, not by the clocks that made their ids.
    // Who writes has saved the subject in this transaction, so nobody else writes about it meanwhile.
    auto numbers = last_numbers(session, table, entries);
    std::vector<Values> rows;
    rows.reserve(entries.size());
    for (const auto& entry : entries) rows.push_back(row_of(entry, ++numbers[entry.state().subject]));
    session.insert(table, all_columns, rows);
}

Result<> melt_entries(Session& session, const std::vector<OutboxId>& entries) {
    for (const auto& id : entries) {
        const auto gone = session.execute("DELETE FROM product_outbox WHERE id = ? AND status = ? AND attempt = 0",
                                          {id, OutboxStatus::pending});
        if (gone != 1) return Error{Errc::conflict, "outbox entry " + id.value + " was claimed since it was read"};
    }
    return {};
}

void kill_entry(Session& session, std::string_view table, const OutboxId& id, const std::string& why) {
    static const Columns columns{"status", "error_message", "lease_until", "waiting_lane", "ready_at", "done_at"};
    const Value nothing = std::nullopt;
    session.execute(update_text(table, columns, "id = ?"),
                    {OutboxStatus::dead, free_text(why), nothing, nothing, nothing, nothing, id});
}

void put_in_place(Session& session, std::string_view table, const OutboxEntry& entry) {
    const auto& s = entry.state();
    const Value nothing = std::nullopt;
    const auto ready_at = s.status == OutboxStatus::processing ? s.lease_until : s.due_at;
    session.execute(update_text(table, {"waiting_lane", "ready_at"}, "id = ?"),
                    {is_unsent(s) ? Value(s.lane) : nothing, is_unsent(s) ? Value(ready_at) : nothing, s.id});
}

}  // namespace crawler::adapters::sql
