// Requests in blocks, for a pool in front of this one. All of a block stand in the ledger from the beginning, as if they could arrive
// until the last moment at which they can: whoever loses a block has lost nothing that the ledger does not count.
#include <algorithm>

#include "adapters/sql/identity_turn.hpp"
#include "adapters/sql/ledger_rows.hpp"
#include "adapters/sql/shared_blame.hpp"

namespace crawler::adapters::sql {
namespace {

const Columns ledger_columns{"reservation", "identity_id", "reserved_at", "lease_end",
                             "answered_at", "outcome",     "latest_at"};

// A pool in front has a clock of its own: what it says of a moment may be a little off, but never so far that a request ended before it
// began.
Values made_row(const ports::BlockEnd& ended, std::size_t index, const SqlIdentityPoolConfig& config) {
    const auto& made = ended.made[index];
    const auto lease_end = made.reserved + config.lease;
    const auto answered = std::max(made.answered.value_or(lease_end), made.reserved);
    return {ports::reservation_in(ended.block, ended.told + index + 1),
            ended.identity,
            made.reserved,
            lease_end,
            answered,
            RequestOutcome::succeeded,
            std::min(answered, lease_end + config.ceiling.guard)};
}

}  // namespace

// What is true of a block's requests is true whoever has the identity by now.
void IdentityTurn::write_block_end(const ports::BlockEnd& ended) {
    std::vector<Values> rows;
    const auto answered = ended.made.size() - (ended.is_under_way() ? 1U : 0U);
    for (std::size_t i = 0; i < answered; ++i) rows.push_back(made_row(ended, i, config_));
    session_.replace("request_ledger", ledger_columns, rows);
    const auto last = ports::reservation_in(ended.block, ended.last());
    if (ended.is_under_way()) {
        const auto reserved = ended.made.back().reserved;
        const auto lease_end = reserved + config_.lease;
        session_.execute(
            "UPDATE request_ledger SET reserved_at = ?, lease_end = ?, latest_at = ? "
            "WHERE reservation = ? AND answered_at IS NULL",
            {reserved, lease_end, lease_end + config_.ceiling.guard, last});
    }
    // Those that were never made; the mark sorts behind all digits.
    session_.execute("DELETE FROM request_ledger WHERE reservation > ? AND reservation < ? AND answered_at IS NULL",
                     {last, ended.block + "#:"});
}

// Unless somebody else has lent it since.
std::optional<HeldIdentity> IdentityTurn::holder_of(const std::string& block, const UserAgentId& identity) {
    auto held = line_.find(identity);
    if (!held || !held->loan || held->loan->reservation != block) return std::nullopt;
    return held;
}

namespace {

// Once it is suspended or blocked, what succeeded before changes nothing any more.
void note_successes(UserAgent& agent, const ports::BlockEnd& ended, const HealthPolicy& policy, TimePoint now) {
    if (ended.made.empty()) return;
    (void)agent.lend(ended.made.back().reserved);
    const auto successes = ended.made.size() - (ended.is_under_way() ? 1U : 0U);
    for (std::size_t i = 0; i < successes; ++i) {
        if (!agent.report(RequestOutcome::succeeded, policy, now)) return;
        if (agent.state().health == HealthPolicy::best) return;
    }
}

}  // namespace

void IdentityTurn::end_block_well(const ports::BlockEnd& ended) {
    write_block_end(ended);
    auto held = holder_of(ended.block, ended.identity);
    if (!held) return;
    note_successes(held->agent, ended, config_.health, now_);
    held->loan->until = ended.is_under_way() ? ended.made.back().reserved + config_.lease : now_;
    if (held->loan->until <= now_) held->loan.reset();
    const auto free = own_budget(session_, ended.identity, config_.limits).free_at(now_);
    line_.save(*std::move(held), free);
}

void IdentityTurn::end_blocks(const std::vector<ports::BlockEnd>& ended) {
    for (const auto& block : ended) end_block_well(block);
}

Result<> IdentityTurn::end_block(const ports::BlockEnd& ended, const RequestEnd& end) {
    write_block_end(ended);
    auto held = holder_of(ended.block, ended.identity);
    const auto reservation = ports::reservation_in(ended.block, ended.last());
    if (!held || held->loan->until <= now_) return Error{Errc::conflict, "reservation " + reservation + " is over"};
    note_successes(held->agent, ended, config_.health, now_);
    held->loan->reservation = reservation;
    return take_back(*std::move(held), end);
}

Result<> IdentityTurn::judge_beside(const std::string& reservation, const UserAgentId& identity,
                                    const RequestEnd& end) {
    auto held = holder_of(ports::block_of(reservation), identity);
    const bool is_open =
        session_.number(
            "COUNT(*) FROM request_ledger WHERE reservation = ? AND answered_at IS NULL AND outcome IS NULL",
            {reservation}) == 1;
    if (!held || held->loan->until <= now_ || !is_open)
        return Error{Errc::conflict, "reservation " + reservation + " is over"};
    if (end.outcome == RequestOutcome::unanswered) {
        note_unanswered(session_, reservation);
    } else {
        (void)stamp_ledger(session_, {reservation, now_, end.outcome});
    }
    SharedBlame shared(session_, config_.blame, end.endpoint);
    auto judgement = end.judge(held->agent, shared.blame(), now_);
    shared.save(now_);
    forgive_whom_it_concerns(judgement, *held);
    const auto free = own_budget(session_, identity, config_.limits).free_at(now_);
    line_.save(*std::move(held), free);
    observe();
    return std::move(judgement.result);
}

ports::Exchanged IdentityTurn::lend_blocks(const ports::BlockWish& wish, const std::string& id) {
    ports::Exchanged answer{.now = now_};
    line_.wake();
    observe();
    answer.breaker = pool_.breaker.state().status;
    answer.breaker_free_at = pool_.breaker.free_at(now_);
    if (wish.identities == 0 || answer.breaker != BreakerStatus::closed) return answer;

    const auto free = hour_free_at();
    std::vector<Values> rows;
    const auto until = now_ + wish.hold + config_.lease;
    while (free <= now_ && std::ssize(answer.blocks) < wish.identities && *pool_.host_room > 0) {
        auto held = line_.preferred(Purpose::request);
        if (!held) break;
        const auto identity = held->agent.state();
        auto own = own_budget(session_, identity.id, config_.limits);
        if (own.free_at(now_) > now_ || identity.token.empty()) {
            line_.save(*std::move(held), own.free_at(now_));
            continue;
        }
        const auto most = std::min<std::int64_t>({wish.requests, own.window.left(now_), *pool_.host_room});
        ports::RequestBlock block{.id = id + "." + std::to_string(answer.blocks.size()),
                                  .identity = identity.id,
                                  .user_agent = identity.user_agent_string,
                                  .sealed_token = line_.sealed(identity),
                                  .health = identity.health,
                                  .last_used = identity.last_used_at,
                                  .requests = static_cast<int>(most),
                                  .begun = now_};
        for (std::size_t i = 1; i <= static_cast<std::size_t>(most); ++i)
            rows.push_back({ports::reservation_in(block.id, i), identity.id, now_, until, std::nullopt, std::nullopt,
                            until + config_.ceiling.guard});
        pool_.host_room.value() -= most;
        held->loan = IdentityLoan{block.id, until};
        line_.save(*std::move(held), until + config_.limits.guard);
        answer.blocks.push_back(std::move(block));
    }
    if (answer.blocks.empty()) {
        const auto next = line_.next_at(Purpose::request);
        if (free > now_ && line_.has_any(Purpose::request)) {
            answer.next = free;
        } else if (next) {
            answer.next = std::max(free, *next);
        }
        return answer;
    }
    answer.elsewhere = requests_past(wish.holder);
    session_.insert("request_ledger", ledger_columns, rows);
    return answer;
}

// Of more than the ceilings allow the latest decide.
std::vector<ports::RequestElsewhere> IdentityTurn::requests_past(const std::string& holder) {
    const auto since = now_ - std::chrono::seconds{1};
    std::vector<ports::RequestElsewhere> all;
    for (auto& row : session_.select(
             {"reservation", "CASE WHEN latest_at > lease_end THEN lease_end ELSE latest_at END AS seen_at"},
             "FROM request_ledger WHERE latest_at > ? AND lease_end > ? AND reservation NOT LIKE ? "
             "ORDER BY seen_at DESC LIMIT ?",
             {since, since, holder + ".%", std::max(config_.ceiling.per_second, config_.at_once)})) {
        auto reservation = row.text();
        all.push_back({std::move(reservation), row.instant()});
    }
    return all;
}

}  // namespace crawler::adapters::sql
