#include "adapters/sql/outbox_rows.hpp"

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
            s.error_message,
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

}  // namespace crawler::adapters::sql
