#include "adapters/sql/pool_state.hpp"

namespace crawler::adapters::sql {
namespace {

const Columns columns{"seen_at", "available",          "total", "host_room",   "host_room_of",
                      "breaker", "breaker_open_until", "probe", "probe_until", "revision"};
constexpr const char* the_pool = "identities";

PoolState state_of(Row row) {
    PoolState state{.seen_at = row.instant()};
    state.available = row.optional_number();
    state.total = row.optional_number();
    state.host_room = row.optional_number();
    state.host_room_of = row.optional_number();
    Breaker::State breaker;
    breaker.status = row.word<BreakerStatus>();
    breaker.open_until = row.optional_instant();
    breaker.probe = static_cast<std::uint64_t>(row.number());
    breaker.probe_until = row.optional_instant();
    breaker.revision = row.number();
    state.breaker = Breaker::restore(breaker);
    return state;
}

Value number_or_null(const std::optional<std::int64_t>& number) {
    return number ? Value(*number) : Value(std::nullopt);
}

Values values_of(const PoolState& state) {
    const auto& breaker = state.breaker.state();
    return {state.seen_at,
            number_or_null(state.available),
            number_or_null(state.total),
            number_or_null(state.host_room),
            number_or_null(state.host_room_of),
            breaker.status,
            breaker.open_until,
            static_cast<std::int64_t>(breaker.probe),
            breaker.probe_until,
            breaker.revision + 1};
}

std::optional<PoolState> find_pool(Session& session, std::string_view lock) {
    auto row = session.select_one(columns, "FROM identity_pool WHERE name = ? " + std::string(lock), {the_pool});
    if (!row) return std::nullopt;
    return state_of(std::move(*row));
}

}  // namespace

PoolState lock_pool(Session& session) {
    const auto lock = session.dialect().lock_rows();
    if (auto found = find_pool(session, lock)) return *std::move(found);
    // Two who find none both write it; one waits for the other, loses and finds it on another look.
    const PoolState fresh{.seen_at = TimePoint{}};
    Columns all = columns;
    all.push_back("name");
    auto values = values_of(fresh);
    values.emplace_back(the_pool);
    session.insert("identity_pool", all, {values});
    return fresh;
}

PoolState look_at_pool(Session& session) {
    return find_pool(session, "").value_or(PoolState{.seen_at = TimePoint{}});
}

void save_pool(Session& session, const PoolState& state) {
    auto values = values_of(state);
    values.emplace_back(the_pool);
    static const auto text = update_text("identity_pool", columns, "name = ?");
    session.execute(text, values);
}

void count_anew(Session& session) {
    session.execute("UPDATE identity_pool SET available = NULL, total = NULL WHERE name = ?", {the_pool});
}

void count_hour_anew(Session& session) {
    session.execute("UPDATE identity_pool SET host_room = NULL WHERE name = ?", {the_pool});
}

}  // namespace crawler::adapters::sql
