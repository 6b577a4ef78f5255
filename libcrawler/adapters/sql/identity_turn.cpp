#include "adapters/sql/identity_turn.hpp"

#include <algorithm>

#include "adapters/sql/ledger_rows.hpp"
#include "adapters/sql/shared_blame.hpp"

namespace crawler::adapters::sql {

Result<Reservation> IdentityTurn::lend(Purpose purpose, const std::string& reservation) {
    line_.wake();
    observe();
    const auto free = std::max({now_, pool_.breaker.free_at(now_), line_.room_at(purpose), ceiling_free_at()});
    if (free > now_ && line_.has_any(purpose)) return Reservation(ports::NextSlotAt{free});
    while (free <= now_) {
        auto held = line_.preferred(purpose);
        if (!held) break;
        auto own = own_budget(session_, held->agent.state().id, config_.limits);
        const bool lacks_token = purpose == Purpose::request && held->agent.state().token.empty();
        // The hint was wrong: the limits are others than they were, or its token cannot be unsealed any more.
        if (own.free_at(now_) > now_ || lacks_token) {
            line_.save(*std::move(held), own.free_at(now_));
            continue;
        }
        return grant(*std::move(held), std::move(own), purpose, reservation);
    }
    const auto next = line_.next_at(purpose);
    if (!next) return Error{Errc::unavailable, "the pool has no identity to lend: there is none that is not BLOCKED"};
    return Reservation(ports::NextSlotAt{std::max(free, *next)});
}

Result<Reservation> IdentityTurn::grant(HeldIdentity held, OwnBudget own, Purpose purpose,
                                        const std::string& reservation) {
    const auto until = now_ + config_.lease;
    const bool for_session = purpose == Purpose::session;
    const auto granted = own.window.reserve(now_, config_.lease);
    if (!granted) return granted.error();
    const auto lent = for_session ? held.agent.lend_for_session(now_) : held.agent.lend(now_);
    if (!lent) return lent.error();
    const auto permit =
        std::get<Breaker::Permit>(pool_.breaker.ask(now_, config_.lease));  // it was asked whether it would

    const auto& state = held.agent.state();
    insert_in_ledger(session_, {.reservation = reservation, .identity = state.id, .reserved = now_, .lease_end = until},
                     config_.ceiling.guard);
    --pool_.host_room.value();
    ports::Slot slot{reservation, state.id, state.user_agent_string, state.token, until};
    std::optional<std::int64_t> probe;
    if (permit.probe) probe = static_cast<std::int64_t>(*permit.probe);
    held.loan = IdentityLoan{reservation, until, for_session, probe};
    const auto free = std::max(own.window.free_at(now_), until + config_.limits.guard);
    line_.save(std::move(held), free);
    return Reservation(std::move(slot));
}

// The hour's requests are counted only when the room that was there at the last count is used up: since then they can only have become
// fewer.
TimePoint IdentityTurn::hour_free_at() {
    if (pool_.host_room_of == config_.ceiling.per_hour && pool_.host_room.value_or(0) > 0) return now_;
    const auto hour = host_hour(session_, config_.ceiling, now_);
    pool_.host_room = hour.room;
    pool_.host_room_of = config_.ceiling.per_hour;
    return hour.free_at;
}

TimePoint IdentityTurn::ceiling_free_at() {
    return std::max(second_free_at(session_, config_.ceiling, now_), hour_free_at());
}

std::optional<HeldIdentity> IdentityTurn::under_way(const ports::Slot& slot, Purpose purpose) {
    auto held = line_.find(slot.identity);
    const bool is_ours = held && held->loan && held->loan->reservation == slot.reservation &&
                         held->loan->for_session == (purpose == Purpose::session) && held->loan->until > now_;
    if (!is_ours) return std::nullopt;
    return held;
}

Result<> IdentityTurn::take_back(HeldIdentity held, const RequestEnd& end) {
    const auto loan = held.loan.value();
    const auto id = held.agent.state().id;
    if (end.outcome == RequestOutcome::unanswered) {
        note_unanswered(session_, loan.reservation);
    } else {
        (void)stamp_ledger(session_, {loan.reservation, now_, end.outcome});
    }
    end_probe(loan, end.outcome);
    held.loan.reset();

    SharedBlame shared(session_, config_.blame, end.endpoint);
    auto judgement = end.judge(held.agent, shared.blame(), now_);
    shared.save(now_);
    forgive_whom_it_concerns(judgement, held);
    const auto free = own_budget(session_, id, config_.limits).free_at(now_);
    line_.save(std::move(held), free);
    observe();
    return std::move(judgement.result);
}

// A probe that was given up has another after it, which decides.
void IdentityTurn::end_probe(const IdentityLoan& loan, RequestOutcome outcome) {
    if (!loan.probe) return;
    const auto probe = static_cast<std::uint64_t>(*loan.probe);
    (void)(outcome == RequestOutcome::succeeded ? pool_.breaker.probe_succeeded(probe, now_)
                                                : pool_.breaker.probe_failed(probe, config_.breaker, now_));
}

// One that was blocked by an administrator meanwhile stays as it is.
void IdentityTurn::forgive_whom_it_concerns(const Judgement& judgement, HeldIdentity& at_hand) {
    for (const auto& charge : judgement.forgiven) {
        if (charge.identity == at_hand.agent.state().id) {
            (void)forgive(at_hand.agent, charge, config_.health, now_);
            continue;
        }
        auto other = line_.find(charge.identity);
        if (!other || !forgive(other->agent, charge, config_.health, now_)) continue;
        const auto free = own_budget(session_, charge.identity, config_.limits).free_at(now_);
        line_.save(*std::move(other), free);
    }
}

// All are counted only where a status has changed since.
void IdentityTurn::observe() {
    if (line_.has_changed_statuses() || !pool_.available || !pool_.total) {
        pool_.available = session_.number("COUNT(*) FROM user_agents WHERE status = 'AVAILABLE'");
        pool_.total = session_.number("COUNT(*) FROM user_agents");
    }
    (void)pool_.breaker.observe(*pool_.available, *pool_.total, config_.breaker, now_);
}

}  // namespace crawler::adapters::sql
