// What one transaction does with the pool, which it has locked: lends an identity, or takes one back. Used by the identity pool.
#pragma once
#include <functional>
#include <variant>

#include "adapters/sql/identity_budget.hpp"
#include "adapters/sql/identity_line.hpp"
#include "adapters/sql/pool_state.hpp"
#include "domain/judgement.hpp"
#include "ports/identity_truth.hpp"

namespace crawler::adapters::sql {

using Reservation = std::variant<ports::Slot, ports::NextSlotAt>;

// How a request ended, whatever it was for.
struct RequestEnd {
    Purpose purpose{};
    RequestOutcome outcome{};
    std::string endpoint;
    std::function<Judgement(UserAgent&, Blame&, TimePoint)> judge;
};

class IdentityTurn {
  public:
    // It is `pool.seen_at` now. What the pool is afterwards the caller saves.
    IdentityTurn(Session& session, const SqlIdentityPoolConfig& config, const TokenSeal& seal, PoolState& pool)
        : session_(session), config_(config), pool_(pool), now_(pool.seen_at), line_(session, config, seal, now_) {}

    // unavailable: there is nobody who could ever be lent.
    Result<Reservation> lend(Purpose purpose, const std::string& reservation);
    // Whose request that is, if it still is under way for that.
    std::optional<HeldIdentity> under_way(const ports::Slot& slot, Purpose purpose);
    // What the identity said to the outcome; the request is over in any case.
    Result<> take_back(HeldIdentity held, const RequestEnd& end);

    // Blocks of requests, for a pool in front of this one. `id`: what theirs begin with.
    void end_blocks(const std::vector<ports::BlockEnd>& ended);
    ports::Exchanged lend_blocks(const ports::BlockWish& wish, const std::string& id);
    Result<> end_block(const ports::BlockEnd& ended, const RequestEnd& end);
    Result<> judge_beside(const std::string& reservation, const UserAgentId& identity, const RequestEnd& end);

  private:
    Result<Reservation> grant(HeldIdentity held, OwnBudget own, Purpose purpose, const std::string& reservation);
    TimePoint ceiling_free_at();
    TimePoint hour_free_at();
    std::optional<HeldIdentity> holder_of(const std::string& block, const UserAgentId& identity);
    void write_block_end(const ports::BlockEnd& ended);
    void end_block_well(const ports::BlockEnd& ended);
    std::vector<ports::RequestElsewhere> requests_past(const std::string& holder);
    void end_probe(const IdentityLoan& loan, RequestOutcome outcome);
    void forgive_whom_it_concerns(const Judgement& judgement, HeldIdentity& at_hand);
    void observe();

    Session& session_;
    const SqlIdentityPoolConfig& config_;
    PoolState& pool_;
    TimePoint now_;
    IdentityLine line_;
};

}  // namespace crawler::adapters::sql
