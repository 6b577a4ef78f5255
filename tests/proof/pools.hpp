// The pools that are put to the proof, each as a fleet sees it: processes that share one budget.
#pragma once
#include <memory>
#include <optional>

#include "coro/block_on.hpp"
#include "ports/identity_pool.hpp"
#include "proof/world.hpp"

namespace crawler::proof {

class PoolUnderProof {
  public:
    PoolUnderProof() = default;
    virtual ~PoolUnderProof() = default;
    PoolUnderProof(const PoolUnderProof&) = delete;
    PoolUnderProof& operator=(const PoolUnderProof&) = delete;

    // As that process has it.
    virtual ports::IdentityPool& of(int process) = 0;
    // The process died, and another one begins in its place.
    virtual void restart(int process) = 0;
    // Whether the durable ledger alone proves that the limit was kept, as the auditor finds; empty: there is no such ledger.
    virtual std::optional<bool> ledger_proves() = 0;

    // The server before the ledger, where there is one: it keeps what it knows now, it dies, it comes back with what it kept or with
    // nothing.
    virtual void server_keeps() {}
    virtual void server_dies() {}
    virtual void server_returns(bool with_what_it_kept) { (void)with_what_it_kept; }

    template <class T>
    T run(Async<T> work) {
        return coro::block_on(io_, std::move(work));
    }

  private:
    boost::asio::io_context io_{1};
};

// "memory", "sqlite", "mariadb", "redis" (before SQLite), and those that must be found out: "fixed-window", "refund"; "true-window" acquits what these two
// stand on. The clock must outlive the pool. Throws std::invalid_argument where there is no such pool.
std::unique_ptr<PoolUnderProof> make_pool(const std::string& name, const World& world, const PoolClock& clock);
const std::vector<std::string>& pool_names();

}  // namespace crawler::proof
