#include "adapters/sql/raw_rows.hpp"

#include <algorithm>

#include "adapters/sql/free_text.hpp"
#include "adapters/sql/packed_text.hpp"

namespace crawler::adapters::sql {
namespace {

const Columns all_columns{"id",          "task_id", "seller_id",    "item_no", "type",         "fetched_at",
                          "http_status", "body",    "content_hash", "status",  "attempt",      "retry_count",
                          "lost_count",  "due_at",  "lease_until",  "reason",  "waiting_lane", "ready_at"};

bool is_open(const CrawledRaw::State& s) {
    return raw_table.allows(s.status, RawVerb::claim);
}
Value lane_of(const CrawledRaw::State& s) {
    return is_open(s) ? Value(s.seller) : Value(std::nullopt);
}
// Since it was fetched, when it is due again, or at the end of its lease.
Value ready_at(const CrawledRaw::State& s) {
    return is_open(s) ? Value(s.lease_until.value_or(s.due_at.value_or(s.fetched_at))) : Value(std::nullopt);
}

Values row_of(const CrawledRaw::State& s) {
    return {s.id,           s.task,       s.seller,      s.item,
            s.type,         s.fetched_at, s.http_status, pack(s.body),
            s.content_hash, s.status,     s.attempt,     s.retry_count,
            s.lost_count,   s.due_at,     s.lease_until, free_text(s.reason),
            lane_of(s),     ready_at(s)};
}

}  // namespace

const Columns raw_columns(all_columns.begin(), all_columns.begin() + 16);

CrawledRaw raw_of(Row row) {
    auto id = row.id<RawId>();
    auto task = row.id<TaskId>();
    CrawledRaw::State state{CrawledAnswer{.id = std::move(id), .task = std::move(task), .seller = row.seller()}};
    state.item = row.optional_number();
    state.type = row.word<TaskType>();
    state.fetched_at = row.instant();
    state.http_status = row.small_number();
    state.body = row.checked(unpack(row.text()));
    state.content_hash = row.digest();
    state.status = row.word<RawStatus>();
    state.attempt = row.small_number();
    state.retry_count = row.small_number();
    state.lost_count = row.small_number();
    state.due_at = row.optional_instant();
    state.lease_until = row.optional_instant();
    state.reason = row.text();
    return CrawledRaw::restore(std::move(state));
}

void insert_raws(Session& session, const std::vector<CrawledRaw>& raws) {
    std::vector<Values> rows;
    rows.reserve(raws.size());
    for (const auto& raw : raws) rows.push_back(row_of(raw.state()));
    session.insert("crawled_raw", all_columns, rows);
}

Result<> settle_raw(Session& session, const CrawledRaw& raw) {
    const auto& s = raw.state();
    static const auto text = update_text("crawled_raw",
                                         {"status", "retry_count", "lost_count", "due_at", "lease_until", "reason",
                                          "waiting_lane", "ready_at", "done_at"},
                                         "id = ? AND attempt = ? AND lease_until IS NOT NULL");
    const auto settled =
        session.execute(text, {s.status, s.retry_count, s.lost_count, s.due_at, s.lease_until, free_text(s.reason),
                               lane_of(s), ready_at(s), std::nullopt, s.id, s.attempt});
    if (settled == 1) return {};
    return Error{Errc::conflict, "the claim on raw " + s.id.value + " is over"};
}

void quarantine_row(Session& session, const RawId& id, const std::string& why) {
    static const auto text =
        update_text("crawled_raw", {"status", "reason", "due_at", "lease_until", "waiting_lane", "ready_at"}, "id = ?");
    const Value nothing = std::nullopt;
    session.execute(text, {RawStatus::quarantined, free_text(why), nothing, nothing, nothing, nothing, id});
}

void put_in_place(Session& session, const CrawledRaw& raw) {
    const auto& s = raw.state();
    const auto ready_at = std::max(s.lease_until, s.due_at);  // none is less than any
    session.execute(update_text("crawled_raw", {"waiting_lane", "ready_at"}, "id = ?"),
                    {lane_of(s), is_open(s) ? Value(ready_at) : Value(std::nullopt), s.id});
}

void end_superseded(Session& session, std::vector<RawId> answers, TimePoint at) {
    constexpr std::size_t most_at_once = 500;
    std::ranges::sort(answers);  // everybody in the same order: nobody waits in a circle
    answers.erase(std::ranges::unique(answers).begin(), answers.end());
    for (std::size_t next = 0; next < answers.size(); next += most_at_once) {
        const auto count = std::min(most_at_once, answers.size() - next);
        const auto first = answers.begin() + static_cast<std::ptrdiff_t>(next);
        const Values ids(first, first + static_cast<std::ptrdiff_t>(count));
        // Locked before it is looked at: of two transactions that replace the last two facets of one answer, the second sees what
        // the first did. Without the lock neither would see it, and the answer would stay for ever.
        const auto these = "id IN " + placeholders(count);
        session.select({"id"},
                       "FROM crawled_raw" + std::string(session.dialect().by_key()) + "WHERE " + these +
                           " ORDER BY id " + std::string(session.dialect().lock_rows()),
                       ids);
        Values values{at};
        values.insert(values.end(), ids.begin(), ids.end());
        values.emplace_back(RawStatus::processed);
        session.execute("UPDATE crawled_raw SET done_at = ? WHERE " + these +
                            " AND status = ? AND NOT EXISTS (SELECT 1 FROM product_raw_data facet "
                            "WHERE facet.raw_id = crawled_raw.id)",
                        values);
    }
}

}  // namespace crawler::adapters::sql
