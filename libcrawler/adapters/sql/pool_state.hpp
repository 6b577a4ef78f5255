// What all identities of the pool share, in one row: whoever reserves or reports locks it first, so that all of them stand in one
// line. Everything that changes identities beside the pool locks it first, too.
#pragma once
#include "adapters/sql/session.hpp"
#include "domain/breaker.hpp"

namespace crawler::adapters::sql {

struct PoolState {
    TimePoint seen_at;  // the latest time that anybody saw; there is no earlier one any more
    std::optional<std::int64_t> available = std::nullopt;  // empty: they must be counted
    std::optional<std::int64_t> total = std::nullopt;
    // At least so many more requests the host may have of an hour's `host_room_of`; empty: the last hour's must be counted.
    std::optional<std::int64_t> host_room = std::nullopt;
    std::optional<std::int64_t> host_room_of = std::nullopt;
    Breaker breaker{};
};

// Of a pool that was never asked, one that begins.
PoolState lock_pool(Session& session);
PoolState look_at_pool(Session& session);
void save_pool(Session& session, const PoolState& state);
// To be called before anybody's status is changed or somebody is added.
void count_anew(Session& session);
// To be called before a reservation is written that is not the pool's own.
void count_hour_anew(Session& session);

}  // namespace crawler::adapters::sql
