// The pool on Redis, before one on SQLite: one server that may die, and a connection of its own for each process.
#pragma once
#include "proof/pools.hpp"

namespace crawler::proof {

std::unique_ptr<PoolUnderProof> make_redis_pool(const World& world, const PoolClock& clock);

}  // namespace crawler::proof
