#include "adapters/sql/identity_pool.hpp"

#include <algorithm>

#include "adapters/sql/database.hpp"
#include "adapters/sql/identity_turn.hpp"
#include "adapters/sql/identity_view.hpp"
#include "adapters/sql/pool_clock.hpp"

namespace crawler::adapters {

Result<> SqlIdentityPoolConfig::check() const {
    for (const auto& sound :
         {limits.check(), ceiling.check(), health.check(), breaker.check(), blame.check(), sessions.check()})
        if (!sound) return sound;
    if (lease <= Duration{0}) return Error{Errc::invalid, "identity pool: lease must be more than 0"};
    if (at_once < 1)
        return Error{Errc::invalid, "identity pool: at_once is " + std::to_string(at_once) + "; it must be at least 1"};
    return {};
}

namespace {

using namespace sql;

// What was done is committed, also where the answer is that nothing can be had.
template <class T>
struct Answer {
    Result<T> result;
    TimePoint now;
};

class SqlIdentityPool final : public ports::IdentityTruth {
  public:
    SqlIdentityPool(SqlDatabase& database, SqlIdentityPoolConfig config, TokenKeys keys, const ports::Clock& clock,
                    ports::IdGenerator& ids)
        : database_(database),
          config_(config),
          seal_(std::move(keys)),
          clock_(clock),
          pool_clock_(config, database, clock),
          ids_(ids) {
        if (auto sound = config_.check(); !sound) throw std::invalid_argument(sound.error().detail);
    }

    Async<Result<Reservation>> reserve() override { co_return co_await lend_for(Purpose::request); }
    Async<Result<Reservation>> reserve_for_session() override { co_return co_await lend_for(Purpose::session); }

    Async<Result<>> report(ports::Slot slot, ports::SlotReport report) override {
        auto end = end_of(report);
        co_return co_await take_back(std::move(slot), std::move(end));
    }

    Async<Result<>> report_session(ports::Slot slot, Result<Secret> session) override {
        const auto outcome = session_outcome(session);
        auto judge_it = [this, session = std::move(session)](UserAgent& agent, Blame& blame, TimePoint now) {
            return judge_session(agent, blame, session, config_.health, now);
        };
        RequestEnd end{Purpose::session, outcome, std::string(session_endpoint), std::move(judge_it)};
        co_return co_await take_back(std::move(slot), std::move(end));
    }

    Async<Result<ports::PoolView>> look(Duration horizon) override {
        auto body = [this, horizon](Session& session) { return view_in(session, horizon); };
        co_return co_await database_.read(std::move(body));
    }

    Async<Result<ports::Exchanged>> exchange(std::vector<ports::BlockEnd> ended, ports::BlockWish wish) override {
        const auto id = wish.holder + "." + ids_.make<ReservationId>().value;
        auto body = [this, ended = std::move(ended), wish = std::move(wish), id](Session& session) {
            return exchange_in(session, ended, wish, id);
        };
        auto answer = co_await database_.transact(body);
        // As for a slot.
        if (!answer && answer.error().code == Errc::conflict) answer = co_await database_.transact(body);
        co_return answer;
    }

    Async<Result<Verdict>> judge(ports::BlockEnd ended, ports::SlotReport report) override {
        auto end = end_of(report);
        auto body = [this, ended = std::move(ended), end = std::move(end)](Session& session) {
            auto judge_it = [&](IdentityTurn& turn) { return turn.end_block(ended, end); };
            return judge_in(session, judge_it);
        };
        co_return co_await database_.transact(std::move(body));
    }

    Async<Result<>> judge_beside(std::string reservation, UserAgentId identity, ports::SlotReport report) override {
        auto end = end_of(report);
        auto body = [this, reservation = std::move(reservation), identity = std::move(identity),
                     end = std::move(end)](Session& session) {
            auto judge_it = [&](IdentityTurn& turn) { return turn.judge_beside(reservation, identity, end); };
            return judge_in(session, judge_it);
        };
        auto verdict = co_await database_.transact(std::move(body));
        if (!verdict) co_return verdict.error();
        co_return std::move(verdict->result);
    }

    Secret open(const std::string& sealed_token, const UserAgentId& identity) const override {
        auto token = seal_.open(sealed_token, identity.value);
        return token ? *std::move(token) : Secret();
    }

  private:
    RequestEnd end_of(const ports::SlotReport& report) const {
        const Deed deed{report.outcome, report.endpoint, report.retry_after};
        auto judge_it = [this, deed](UserAgent& agent, Blame& blame, TimePoint now) {
            return crawler::judge(agent, blame, deed, config_.health, now);
        };
        return {Purpose::request, report.outcome, report.endpoint, std::move(judge_it)};
    }

    Async<Result<Reservation>> lend_for(Purpose purpose) {
        const auto asked_at = clock_.now();
        const auto reservation = ids_.make<ReservationId>().value;
        auto body = [this, purpose, reservation](Session& session) { return lend_in(session, purpose, reservation); };
        auto answer = co_await database_.transact(body);
        // Two who ask a pool that was never asked both begin it; the second finds it on another look.
        if (!answer && answer.error().code == Errc::conflict) answer = co_await database_.transact(body);
        if (!answer) co_return answer.error();
        if (answer->result && pool_clock_.is_servers()) translate(*answer->result, answer->now, asked_at, clock_.now());
        co_return std::move(answer->result);
    }

    Async<Result<>> take_back(ports::Slot slot, RequestEnd end) {
        auto body = [this, slot = std::move(slot), end = std::move(end)](Session& session) {
            return take_back_in(session, slot, end);
        };
        auto answer = co_await database_.transact(std::move(body));
        if (!answer) co_return answer.error();
        co_return std::move(answer->result);
    }

    // The caller looks at a clock of its own: its lease begins before it asked, and its waiting after it was told.
    void translate(Reservation& reservation, TimePoint now, TimePoint asked_at, TimePoint told_at) const {
        if (auto* slot = std::get_if<ports::Slot>(&reservation)) slot->valid_until = asked_at + config_.lease;
        if (auto* next = std::get_if<ports::NextSlotAt>(&reservation)) next->time = told_at + (next->time - now);
    }

    Result<Answer<Reservation>> lend_in(Session& session, Purpose purpose, const std::string& reservation) const {
        auto pool = lock_pool(session);
        if (auto seen = pool_clock_.see(session, pool); !seen) return seen.error();
        auto result = IdentityTurn(session, config_, seal_, pool).lend(purpose, reservation);
        save_pool(session, pool);
        return Answer<Reservation>{std::move(result), pool.seen_at};
    }

    Result<Answer<void>> take_back_in(Session& session, const ports::Slot& slot, const RequestEnd& end) const {
        auto pool = lock_pool(session);
        pool_clock_.see_at_least(session, pool);
        IdentityTurn turn(session, config_, seal_, pool);
        auto held = turn.under_way(slot, end.purpose);
        if (!held) return Error{Errc::conflict, "reservation " + slot.reservation + " is over"};
        auto result = turn.take_back(*std::move(held), end);
        save_pool(session, pool);
        return Answer<void>{std::move(result), pool.seen_at};
    }

    Result<ports::Exchanged> exchange_in(Session& session, const std::vector<ports::BlockEnd>& ended,
                                         const ports::BlockWish& wish, const std::string& id) const {
        auto pool = lock_pool(session);
        if (auto seen = pool_clock_.see(session, pool); !seen) return seen.error();
        IdentityTurn turn(session, config_, seal_, pool);
        turn.end_blocks(ended);
        auto answer = turn.lend_blocks(wish, id);
        save_pool(session, pool);
        return answer;
    }

    // What was done is committed, also where the identity says no.
    template <class Judge>
    Result<Verdict> judge_in(Session& session, Judge judge_it) const {
        auto pool = lock_pool(session);
        pool_clock_.see_at_least(session, pool);
        IdentityTurn turn(session, config_, seal_, pool);
        Verdict verdict{.result = judge_it(turn)};
        save_pool(session, pool);
        verdict.breaker = pool.breaker.state().status;
        if (verdict.breaker == BreakerStatus::open)
            verdict.breaker_opens_in = pool.breaker.free_at(pool.seen_at) - pool.seen_at;
        return verdict;
    }

    Result<ports::PoolView> view_in(Session& session, Duration horizon) const {
        const auto pool = look_at_pool(session);
        return view_of(session, pool, config_, std::max(pool_clock_.now(session), pool.seen_at), horizon);
    }

    SqlDatabase& database_;
    const SqlIdentityPoolConfig config_;
    const TokenSeal seal_;
    const ports::Clock& clock_;
    const PoolClock pool_clock_;
    ports::IdGenerator& ids_;
};

}  // namespace

std::unique_ptr<ports::IdentityPool> make_sql_identity_pool(SqlDatabase& database, SqlIdentityPoolConfig config,
                                                            TokenKeys keys, const ports::Clock& clock,
                                                            ports::IdGenerator& ids) {
    return std::make_unique<SqlIdentityPool>(database, config, std::move(keys), clock, ids);
}

}  // namespace crawler::adapters
