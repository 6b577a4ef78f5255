#include "adapters/memory/identity_pool.hpp"

#include <algorithm>
#include <stdexcept>

#include "adapters/memory/identity_roster.hpp"
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
          roster_(config_.health),
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
        auto body = [&] { return lend_or_say_when(clock_.now()); };
        co_return with_faults(faults_, "identity_pool.reserve", body);
    }

    Async<Result<>> report(ports::Slot slot, ports::SlotReport report) override {
        auto body = [&] { return take_back(slot.reservation, report, clock_.now()); };
        co_return with_faults(faults_, "identity_pool.report", body);
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
    // A slot that was lent and waits for its report.
    struct Lent {
        Member* member;
        std::uint64_t in_window;
        HostCeiling::Reservation in_ceiling;
        std::optional<std::uint64_t> probe;
        TimePoint until;
    };

    Result<Reservation> lend_or_say_when(TimePoint now) {
        if (auto seen = ceiling_.see(now); !seen) return seen.error();
        end_leases(now);
        roster_.wake(now);
        (void)breaker_.observe(roster_.available(), roster_.total(), config_.breaker, now);

        auto* member = roster_.preferred();
        if (member == nullptr && !roster_.next_awake())
            return Error{Errc::unavailable, "the pool has no identity to lend: there is none that is not BLOCKED"};
        const auto somebody = member ? now : *roster_.next_awake();
        const auto free = std::max({somebody, breaker_.free_at(now), ceiling_.free_at(now), room_at(now)});
        if (free > now) return Reservation(ports::NextSlotAt{free});
        return lend(*member, now);
    }

    Result<Reservation> lend(Member& member, TimePoint now) {
        const auto id = member.agent.state().id;
        const auto in_window = member.window.reserve(now, config_.lease);
        if (!in_window) return in_window.error();
        const auto in_ceiling = ceiling_.reserve(now, config_.lease);
        if (!in_ceiling) return in_ceiling.error();
        if (auto lent = member.agent.lend(now); !lent) return lent.error();
        const auto permit = breaker_.ask(now, config_.lease);

        // Each of them was asked before whether it would.
        const auto until = now + config_.lease;
        const auto reservation = "slot-" + std::to_string(++last_reservation_);
        lent_.emplace(reservation, Lent{.member = &member,
                                        .in_window = std::get<Granted>(*in_window).reservation,
                                        .in_ceiling = std::get<HostCeiling::Reservation>(*in_ceiling),
                                        .probe = std::get<Breaker::Permit>(permit).probe,
                                        .until = until});
        leases_.emplace(until, reservation);
        member.busy_until = until + config_.guard;
        roster_.place(member, now);
        const auto& state = member.agent.state();
        return Reservation(ports::Slot{reservation, id, state.user_agent_string, state.token, until});
    }

    Result<> take_back(const std::string& reservation, const ports::SlotReport& report, TimePoint now) {
        end_leases(now);
        const auto found = lent_.extract(reservation);
        if (found.empty()) return Error{Errc::conflict, "reservation " + reservation + " is over"};
        const auto& lent = found.mapped();
        auto& member = *lent.member;
        leases_.erase({lent.until, reservation});

        // Without an answer the request may still be on its way: the identity rests until its lease says that it is not.
        if (report.outcome != RequestOutcome::unanswered) {
            if (auto noted = member.window.answered(lent.in_window, now); !noted) return noted;
            if (auto noted = ceiling_.answered(lent.in_ceiling, now); !noted) return noted;
            member.busy_until = now;
        }
        if (lent.probe) {
            const bool good = report.outcome == RequestOutcome::succeeded;
            const auto ended = good ? breaker_.probe_succeeded(*lent.probe, now)
                                    : breaker_.probe_failed(*lent.probe, config_.breaker, now);
            if (!ended) return ended;
        }
        auto judged = judge(member, report, now);
        roster_.place(member, now);
        (void)breaker_.observe(roster_.available(), roster_.total(), config_.breaker, now);
        return judged;
    }

    // The outcome's price is paid by whose fault it was.
    Result<> judge(Member& member, const ports::SlotReport& report, TimePoint now) {
        auto& agent = member.agent;
        const auto outcome = report.outcome;
        if (outcome == RequestOutcome::succeeded) blame_.succeeded(report.endpoint);
        const bool may_be_the_endpoint = outcome != RequestOutcome::succeeded && outcome != RequestOutcome::throttled;
        if (!may_be_the_endpoint || report.endpoint.empty())
            return agent.report(outcome, config_.health, now, report.retry_after);

        const auto price = agent.is_available() ? std::min(config_.health.loss(outcome), agent.state().health) : 0;
        const auto verdict = blame_.record(report.endpoint, agent.state().id, price, now);
        for (const auto& charge : verdict.forgiven) forgive(charge, now);
        return agent.report(outcome, verdict.endpoint_at_fault ? config_.health.lenient() : config_.health, now);
    }

    // One that was blocked meanwhile stays as it is.
    void forgive(const Blame::Charge& charge, TimePoint now) {
        auto* member = roster_.find(charge.identity);
        if (member == nullptr || !member->agent.forgive(charge.health, config_.health, now)) return;
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

    void end_leases(TimePoint now) {
        while (!leases_.empty() && leases_.begin()->first <= now) {
            lent_.erase(leases_.begin()->second);
            leases_.erase(leases_.begin());
        }
    }

    // When one more request may be under way.
    TimePoint room_at(TimePoint now) const {
        return std::ssize(lent_) < config_.at_once ? now : leases_.begin()->first;
    }

    const MemoryIdentityPoolConfig config_;
    const ports::Clock& clock_;
    Faults* faults_;
    IdentityRoster roster_;
    HostCeiling ceiling_;
    Breaker breaker_;
    Blame blame_;
    std::unordered_map<std::string, Lent> lent_;
    std::set<std::pair<TimePoint, std::string>> leases_;  // the same, by the end of the lease
    std::uint64_t last_reservation_ = 0;
};

}  // namespace

std::unique_ptr<MemoryIdentityPool> make_memory_identity_pool(MemoryIdentityPoolConfig config,
                                                              const ports::Clock& clock, Faults* faults) {
    return std::make_unique<Pool>(config, clock, faults);
}

}  // namespace crawler::adapters
