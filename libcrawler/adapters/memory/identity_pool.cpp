#include "adapters/memory/identity_pool.hpp"

#include <algorithm>
#include <stdexcept>

#include "adapters/memory/loans.hpp"
#include "domain/judgement.hpp"
#include "domain/user_agent_strings.hpp"

namespace crawler::adapters {
namespace {

using Member = IdentityRoster::Member;

// A value that the configuration promised.
template <class T>
T required(Result<T> result) {
    if (!result) throw std::invalid_argument(result.error().detail);
    return *std::move(result);
}

void require(const Result<>& sound) {
    if (!sound) throw std::invalid_argument(sound.error().detail);
}

MemoryIdentityPoolConfig checked(MemoryIdentityPoolConfig config) {
    require(config.health.check());
    require(config.breaker.check());
    require(config.blame.check());
    require(config.sessions.check());
    if (config.lease <= Duration{0}) throw std::invalid_argument("identity pool: lease must be more than 0");
    if (config.at_once < 1) throw std::invalid_argument("identity pool: at_once must be at least 1");
    return config;
}

class Pool final : public MemoryIdentityPool {
  public:
    using Reservation = std::variant<ports::Slot, ports::NextSlotAt>;

    Pool(const MemoryIdentityPoolConfig& config, const ports::Clock& clock, Faults* faults)
        : config_(checked(config)),
          clock_(clock),
          faults_(faults),
          roster_(config_.health, config_.sessions),
          ceiling_(required(HostCeiling::create(config.ceiling))),
          blame_(config.blame) {
        const auto now = clock.now();
        const auto window =
            required(RequestWindow::create({config.limit, config.window, config.spacing, config.guard}));
        const auto strings = user_agent_strings();
        for (int i = 0; i < config.identities; ++i) {
            const auto string = strings[static_cast<std::size_t>(i) % strings.size()];
            auto agent = UserAgent::enroll(UserAgentId{"ua-" + std::to_string(i + 1)}, std::string(string), now);
            roster_.add(required(std::move(agent)), window, now);
        }
    }

    Async<Result<Reservation>> reserve() override {
        auto body = [&] { return lend_or_say_when(Purpose::request, clock_.now()); };
        co_return with_faults(faults_, "identity_pool.reserve", body);
    }

    Async<Result<>> report(ports::Slot slot, ports::SlotReport report) override {
        const Deed deed{report.outcome, report.endpoint, report.retry_after};
        auto body = [&] { return take_back(slot.reservation, deed, clock_.now()); };
        co_return with_faults(faults_, "identity_pool.report", body);
    }

    Async<Result<Reservation>> reserve_for_session() override {
        auto body = [&] { return lend_or_say_when(Purpose::session, clock_.now()); };
        co_return with_faults(faults_, "identity_pool.reserve_for_session", body);
    }

    Async<Result<>> report_session(ports::Slot slot, Result<Secret> session) override {
        auto body = [&] { return take_session_back(slot.reservation, session, clock_.now()); };
        co_return with_faults(faults_, "identity_pool.report_session", body);
    }

    Async<Result<ports::PoolView>> look(Duration horizon) override {
        auto body = [&] { return view(horizon, clock_.now()); };
        co_return with_faults(faults_, "identity_pool.look", body);
    }

    Result<> recover(const UserAgentId& id) override {
        return change(id, [&](UserAgent& agent, TimePoint now) { return agent.recover_early(config_.health, now); });
    }
    Result<> block(const UserAgentId& id) override {
        return change(id, [](UserAgent& agent, TimePoint now) { return agent.block(now); });
    }
    Result<> unblock(const UserAgentId& id) override {
        return change(id, [&](UserAgent& agent, TimePoint now) { return agent.unblock(config_.health, now); });
    }
    PoolStatus status() const override { return roster_.status(clock_.now()); }
    BreakerStatus breaker() const override { return breaker_.state().status; }

  private:
    enum class Purpose { request, session };

    Result<ports::PoolView> view(Duration horizon, TimePoint now) {
        ports::PoolView view{.identities = roster_.status(now), .breaker = breaker_.state().status};
        view.left_this_hour = ceiling_.left_this_hour(now);
        const ports::Servable most{.available = view.identities.available,
                                   .in_windows = roster_.budget_at(now + horizon),
                                   .in_ceiling = ceiling_.left_this_hour(now + horizon),
                                   .per_second = config_.ceiling.per_second,
                                   .spacing = config_.spacing,
                                   .breaker_free_at = breaker_.free_at(now)};
        view.servable = ports::servable(most, view.breaker, now, horizon);
        return view;
    }

    Result<Reservation> lend_or_say_when(Purpose purpose, TimePoint now) {
        if (auto seen = ceiling_.see(now); !seen) return seen.error();
        loans_.end_leases(now);
        roster_.wake(now);
        (void)breaker_.observe(roster_.available(), roster_.total(), config_.breaker, now);

        const bool for_session = purpose == Purpose::session;
        auto* member = for_session ? roster_.preferred_for_session(now) : roster_.preferred();
        const auto somebody = member ? std::optional(now) : next_at(purpose, now);
        if (!somebody)
            return Error{Errc::unavailable, "the pool has no identity to lend: there is none that is not BLOCKED"};
        auto room = loans_.room_at(now, config_.at_once);
        if (for_session) room = std::max(room, loans_.session_room_at(now, config_.sessions.at_once));
        const auto free = std::max({*somebody, breaker_.free_at(now), ceiling_.free_at(now), room});
        if (free > now) return Reservation(ports::NextSlotAt{free});
        return lend(*member, purpose, now);
    }

    // When there may be somebody, if there is nobody now; empty: never, as long as nobody is unblocked.
    std::optional<TimePoint> next_at(Purpose purpose, TimePoint now) const {
        if (purpose == Purpose::session && config_.sessions.made_up) return now + config_.sessions.lifetime;
        if (purpose == Purpose::session) return roster_.next_session_at(now);
        const auto awake = roster_.next_awake();
        if (!roster_.waits_for_sessions()) return awake;
        const auto again = now + config_.sessions.look_again;
        return std::min(again, awake.value_or(again));
    }

    Result<Reservation> lend(Member& member, Purpose purpose, TimePoint now) {
        const auto id = member.agent.state().id;
        const bool for_session = purpose == Purpose::session;
        const auto in_window = member.window.reserve(now, config_.lease);
        if (!in_window) return in_window.error();
        const auto in_ceiling = ceiling_.reserve(now, config_.lease);
        if (!in_ceiling) return in_ceiling.error();
        auto lent = for_session ? member.agent.lend_for_session(now) : member.agent.lend(now);
        if (!lent) return lent.error();
        const auto permit = breaker_.ask(now, config_.lease);

        // Each of them was asked before whether it would.
        const auto until = now + config_.lease;
        const auto reservation = "slot-" + std::to_string(++last_reservation_);
        loans_.add(reservation, Loan{.member = &member,
                                     .for_session = for_session,
                                     .in_window = std::get<Granted>(*in_window).reservation,
                                     .in_ceiling = std::get<HostCeiling::Reservation>(*in_ceiling),
                                     .probe = std::get<Breaker::Permit>(permit).probe,
                                     .until = until});
        member.busy_until = until + config_.guard;
        roster_.place(member, now);
        const auto& state = member.agent.state();
        return Reservation(ports::Slot{reservation, id, state.user_agent_string, state.token, until});
    }

    Result<> take_back(const std::string& reservation, const Deed& deed, TimePoint now) {
        auto judge_it = [&](UserAgent& agent) { return judge(agent, blame_, deed, config_.health, now); };
        return end_loan(reservation, Purpose::request, deed.outcome, judge_it, now);
    }

    Result<> take_session_back(const std::string& reservation, const Result<Secret>& session, TimePoint now) {
        auto judge_it = [&](UserAgent& agent) { return judge_session(agent, blame_, session, config_.health, now); };
        return end_loan(reservation, Purpose::session, session_outcome(session), judge_it, now);
    }

    template <class Judge>
    Result<> end_loan(const std::string& reservation, Purpose purpose, RequestOutcome outcome, Judge judge_it,
                      TimePoint now) {
        loans_.end_leases(now);
        const auto loan = loans_.take(reservation, purpose == Purpose::session);
        if (!loan) return Error{Errc::conflict, "reservation " + reservation + " is over"};
        auto& member = *loan->member;

        // Without an answer the request may still be on its way: the identity rests until its lease says that it is not.
        if (outcome != RequestOutcome::unanswered) {
            if (auto noted = member.window.answered(loan->in_window, now); !noted) return noted;
            if (auto noted = ceiling_.answered(loan->in_ceiling, now); !noted) return noted;
            member.busy_until = now;
        }
        if (loan->probe) {
            const bool good = outcome == RequestOutcome::succeeded;
            const auto ended = good ? breaker_.probe_succeeded(*loan->probe, now)
                                    : breaker_.probe_failed(*loan->probe, config_.breaker, now);
            if (!ended) return ended;
        }
        auto judgement = judge_it(member.agent);
        for (const auto& charge : judgement.forgiven) forgive_member(charge, now);
        roster_.place(member, now);
        (void)breaker_.observe(roster_.available(), roster_.total(), config_.breaker, now);
        return std::move(judgement.result);
    }

    // One that was blocked meanwhile stays as it is.
    void forgive_member(const Blame::Charge& charge, TimePoint now) {
        auto* member = roster_.find(charge.identity);
        if (member == nullptr || !forgive(member->agent, charge, config_.health, now)) return;
        roster_.place(*member, now);
    }

    template <class Verb>
    Result<> change(const UserAgentId& id, Verb verb) {
        const auto now = clock_.now();
        auto* member = roster_.find(id);
        if (member == nullptr) return Error{Errc::not_found, "there is no identity " + id.value};
        if (auto changed = verb(member->agent, now); !changed) return changed;
        roster_.place(*member, now);
        (void)breaker_.observe(roster_.available(), roster_.total(), config_.breaker, now);
        return {};
    }

    const MemoryIdentityPoolConfig config_;
    const ports::Clock& clock_;
    Faults* faults_;
    IdentityRoster roster_;
    HostCeiling ceiling_;
    Breaker breaker_;
    Blame blame_;
    Loans loans_;
    std::uint64_t last_reservation_ = 0;
};

}  // namespace

std::unique_ptr<MemoryIdentityPool> make_memory_identity_pool(MemoryIdentityPoolConfig config,
                                                              const ports::Clock& clock, Faults* faults) {
    return std::make_unique<Pool>(config, clock, faults);
}

}  // namespace crawler::adapters
