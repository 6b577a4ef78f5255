// The pool on a database at a glance. All identities are counted: for the API, the metrics and back-pressure, not for every request.
#pragma once
#include "adapters/sql/identity_pool.hpp"
#include "adapters/sql/pool_state.hpp"
#include "ports/identity_pool.hpp"

namespace crawler::adapters::sql {

ports::PoolView view_of(Session& session, const PoolState& pool, const SqlIdentityPoolConfig& config, TimePoint now,
                        Duration horizon);

}  // namespace crawler::adapters::sql
