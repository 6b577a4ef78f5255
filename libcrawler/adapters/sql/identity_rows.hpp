// An identity as a row: what it is, where it stands in the pool's lines, and the request that is under way with it. Shared by the
// store of identities and the pool.
#pragma once
#include "adapters/sql/session.hpp"
#include "adapters/sql/token_seal.hpp"
#include "domain/user_agent.hpp"

namespace crawler::adapters::sql {

// What it is.
extern const Columns identity_columns;
Values identity_values(const UserAgent::State& state, const TokenSeal& seal);
// Takes these columns off the row. A token that cannot be unsealed is none: another is issued.
UserAgent identity_of(Row& row, const TokenSeal& seal);

// Where it stands. Only a hint, so that nobody has to be looked for; the ledger alone decides who may ask.
struct PlaceInLine {
    std::optional<int> ready_lane = std::nullopt;        // with_token or without_token; empty: it rests, or is BLOCKED
    std::optional<TimePoint> wakes_at = std::nullopt;    // while it rests
    std::optional<TimePoint> session_at = std::nullopt;  // when it needs a session

    static constexpr int with_token = 0;
    static constexpr int without_token = 1;
};
extern const Columns place_columns;
Values place_values(const PlaceInLine& place, int health);
// Of one that somebody changed beside the pool: the pool looks at it at once, or when its suspension is over.
PlaceInLine place_to_be_looked_at(const UserAgent::State& state);

// The request that is under way with it.
struct IdentityLoan {
    std::string reservation;
    TimePoint until;
    bool for_session = false;
    std::optional<std::int64_t> probe = std::nullopt;  // of the breaker
};
extern const Columns loan_columns;
Values loan_values(const std::optional<IdentityLoan>& loan);
std::optional<IdentityLoan> loan_of(Row& row);

}  // namespace crawler::adapters::sql
