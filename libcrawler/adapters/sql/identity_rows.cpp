#include "adapters/sql/identity_rows.hpp"

namespace crawler::adapters::sql {

const Columns identity_columns{
    "id",         "user_agent_string", "token",        "token_issued_at", "token_failed_at", "status",
    "health",     "last_used_at",      "suspended_at", "suspended_until", "throttled",       "token_failures",
    "created_at", "updated_at",        "revision"};

Values identity_values(const UserAgent::State& s, const TokenSeal& seal) {
    const auto sealed = seal.seal(s.token, s.id.value);
    return {s.id,
            s.user_agent_string,
            sealed.empty() ? Value(std::nullopt) : Value(sealed),
            s.token_issued_at,
            s.token_failed_at,
            s.status,
            s.health,
            s.last_used_at,
            s.suspended_at,
            s.suspended_until,
            s.throttled,
            s.token_failures,
            s.created_at,
            s.updated_at,
            s.revision};
}

UserAgent identity_of(Row& row, const TokenSeal& seal) {
    UserAgent::State state;
    state.id = row.id<UserAgentId>();
    state.user_agent_string = row.text();
    if (const auto sealed = row.optional_text()) {
        if (auto token = seal.open(*sealed, state.id.value)) state.token = std::move(*token);
    }
    state.token_issued_at = row.optional_instant();
    state.token_failed_at = row.optional_instant();
    state.status = row.word<UserAgentStatus>();
    state.health = row.small_number();
    state.last_used_at = row.optional_instant();
    state.suspended_at = row.optional_instant();
    state.suspended_until = row.optional_instant();
    state.throttled = row.flag();
    state.token_failures = row.small_number();
    state.created_at = row.instant();
    state.updated_at = row.instant();
    state.revision = row.number();
    return UserAgent::restore(std::move(state));
}

const Columns place_columns{"ready_lane", "illness", "wakes_at", "session_at"};

Values place_values(const PlaceInLine& place, int health) {
    const auto lane = place.ready_lane ? Value(*place.ready_lane) : Value(std::nullopt);
    return {lane, HealthPolicy::best - health, place.wakes_at, place.session_at};
}

PlaceInLine place_to_be_looked_at(const UserAgent::State& state) {
    if (state.status == UserAgentStatus::blocked) return {};
    const auto when = state.suspended_until.value_or(state.updated_at);
    return {.wakes_at = when, .session_at = when};
}

const Columns loan_columns{"reservation", "lent_until", "lent_for_session", "probe"};

Values loan_values(const std::optional<IdentityLoan>& loan) {
    if (!loan) return {std::nullopt, std::nullopt, false, std::nullopt};
    return {loan->reservation, loan->until, loan->for_session, loan->probe ? Value(*loan->probe) : Value(std::nullopt)};
}

std::optional<IdentityLoan> loan_of(Row& row) {
    auto reservation = row.optional_text();
    const auto until = row.optional_instant();
    const bool for_session = row.flag();
    const auto probe = row.optional_number();
    if (!reservation || !until) return std::nullopt;
    return IdentityLoan{std::move(*reservation), *until, for_session, probe};
}

}  // namespace crawler::adapters::sql
