#include "adapters/sql/identity_pool.hpp"

#include <algorithm>

#include "adapters/sql/database.hpp"
#include "adapters/sql/identity_turn.hpp"
#include "adapters/sql/identity_view.hpp"

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

class SqlIdentityPool final : public ports::IdentityPool {
  public:
    SqlIdentityPool(SqlDatabase& database, SqlIdentityPoolConfig config, TokenKeys keys, const ports::Clock& clock,
                    ports::IdGenerator& ids)
        : database_(database), config_(config), seal_(std::move(keys)), clock_(clock), ids_(ids) {
        if (auto sound = config_.check(); !sound) throw std::invalid_argument(sound.error().detail);
    }

    Async<Result<Reservation>> reserve() override { co_return co_await lend_for(Purpose::request); }
    Async<Result<Reservation>> reserve_for_session() override { co_return co_await lend_for(Purpose::session); }

    Async<Result<>> report(ports::Slot slot, ports::SlotReport report) override {
        const Deed deed{report.outcome, report.endpoint, report.retry_after};
        auto judge_it = [this, deed](UserAgent& agent, Blame& blame, TimePoint now) {
            return judge(agent, blame, deed, config_.health, now);
        };
        RequestEnd end{Purpose::request, report.outcome, report.endpoint, std::move(judge_it)};
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

  private:
    Async<Result<Reservation>> lend_for(Purpose purpose) {
        const auto asked_at = clock_.now();
        const auto reservation = ids_.make<ReservationId>().value;
        auto body = [this, purpose, reservation](Session& session) { return lend_in(session, purpose, reservation); };
        auto answer = co_await database_.transact(body);
        // Two who ask a pool that was never asked both begin it; the second finds it on another look.
        if (!answer && answer.error().code == Errc::conflict) answer = co_await database_.transact(body);
        if (!answer) co_return answer.error();
        if (answer->result && has_server_clock()) translate(*answer->result, answer->now, asked_at, clock_.now());
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

    bool has_server_clock() const { return config_.server_clock && !database_.dialect().clock().empty(); }
    TimePoint now_in(Session& session) const {
        if (!has_server_clock()) return clock_.now();
        return session.select_one({session.dialect().clock()}, "")->instant();
    }

    // The caller looks at a clock of its own: its lease begins before it asked, and its waiting after it was told.
    void translate(Reservation& reservation, TimePoint now, TimePoint asked_at, TimePoint told_at) const {
        if (auto* slot = std::get_if<ports::Slot>(&reservation)) slot->valid_until = asked_at + config_.lease;
        if (auto* next = std::get_if<ports::NextSlotAt>(&reservation)) next->time = told_at + (next->time - now);
    }

    Result<Answer<Reservation>> lend_in(Session& session, Purpose purpose, const std::string& reservation) const {
        auto pool = lock_pool(session);
        const auto now = now_in(session);
        if (now < pool.seen_at)
            return Error{Errc::unavailable, "the clock has stepped back from " + to_rfc3339(pool.seen_at) + " to " +
                                                to_rfc3339(now) + "; nothing is granted until it has caught up"};
        pool.seen_at = now;
        auto result = IdentityTurn(session, config_, seal_, pool).lend(purpose, reservation);
        save_pool(session, pool);
        return Answer<Reservation>{std::move(result), now};
    }

    Result<Answer<void>> take_back_in(Session& session, const ports::Slot& slot, const RequestEnd& end) const {
        auto pool = lock_pool(session);
        // A clock that stepped back must not date the answer before what is known to have happened.
        pool.seen_at = std::max(now_in(session), pool.seen_at);
        IdentityTurn turn(session, config_, seal_, pool);
        auto held = turn.under_way(slot, end.purpose);
        if (!held) return Error{Errc::conflict, "reservation " + slot.reservation + " is over"};
        auto result = turn.take_back(*std::move(held), end);
        save_pool(session, pool);
        return Answer<void>{std::move(result), pool.seen_at};
    }

    Result<ports::PoolView> view_in(Session& session, Duration horizon) const {
        const auto pool = look_at_pool(session);
        return view_of(session, pool, config_, std::max(now_in(session), pool.seen_at), horizon);
    }

    SqlDatabase& database_;
    const SqlIdentityPoolConfig config_;
    const TokenSeal seal_;
    const ports::Clock& clock_;
    ports::IdGenerator& ids_;
};

}  // namespace

std::unique_ptr<ports::IdentityPool> make_sql_identity_pool(SqlDatabase& database, SqlIdentityPoolConfig config,
                                                            TokenKeys keys, const ports::Clock& clock,
                                                            ports::IdGenerator& ids) {
    return std::make_unique<SqlIdentityPool>(database, config, std::move(keys), clock, ids);
}

}  // namespace crawler::adapters
