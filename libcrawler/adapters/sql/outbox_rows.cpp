#include "adapters/sql/outbox_rows.hpp"

#include "adapters/sql/free_text.hpp"

namespace crawler::adapters::sql {
namespace {

const Columns all_columns{"id",         "subject",      "message_group", "lane",   "payload",     "idempotency_key",
                          "status",     "attempt",      "retry_count",   "due_at", "lease_until", "error_message",
                          "created_at", "waiting_lane", "ready_at",      "done_at"};

bool is_unsent(const OutboxEntry::State& state) {
    return state.status != OutboxStatus::sent && state.status != OutboxStatus::dead;
}

Values row_of(const OutboxEntry& entry) {
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
            s.status == OutboxStatus::sent ? Value(s.created_at) : nothing};
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
    std::vector<Values> rows;
    rows.reserve(entries.size());
    for (const auto& entry : entries) rows.push_back(row_of(entry));
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
