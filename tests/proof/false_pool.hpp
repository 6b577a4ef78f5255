// An identity pool in memory on a limiter that may be false. Only the counting is on trial: there is no health, no breaker, no ceiling.
#pragma once
#include <map>
#include <set>

#include "ports/clock.hpp"
#include "ports/identity_pool.hpp"

namespace crawler::proof {

template <class Limiter>
class FalsePool final : public ports::IdentityPool {
  public:
    using Reservation = std::variant<ports::Slot, ports::NextSlotAt>;

    FalsePool(int identities, Duration lease, const ports::Clock& clock)
        : lease_(lease), clock_(clock), limiters_(static_cast<std::size_t>(identities)) {
        for (std::size_t i = 0; i < limiters_.size(); ++i) line_.emplace(TimePoint::min(), i);
    }

    Async<Result<Reservation>> reserve() override { co_return lend(clock_.now()); }
    Async<Result<>> report(ports::Slot slot, ports::SlotReport report) override {
        co_return take_back(slot.reservation, report.outcome, clock_.now());
    }
    Async<Result<Reservation>> reserve_for_session() override { co_return Error{Errc::unavailable, "no sessions"}; }
    Async<Result<>> report_session(ports::Slot, Result<Secret>) override { co_return Error{Errc::conflict, "none"}; }
    Async<Result<ports::PoolView>> look(Duration) override { co_return ports::PoolView{}; }

  private:
    struct Loan {
        std::size_t identity;
        std::uint64_t in_window;
        TimePoint until;
    };

    Result<Reservation> lend(TimePoint now) {
        end_leases(now);
        while (!line_.empty() && line_.begin()->first <= now) {
            const auto identity = line_.begin()->second;
            line_.erase(line_.begin());
            const auto answer = limiters_[identity].reserve(now, lease_);
            if (!answer) return answer.error();
            if (const auto* later = std::get_if<FreeAt>(&*answer)) {
                line_.emplace(later->time, identity);
                continue;
            }
            const auto until = now + lease_;
            const auto reservation = std::to_string(++last_);
            loans_.emplace(reservation, Loan{identity, std::get<Granted>(*answer).reservation, until});
            leases_.emplace(until, reservation);
            const auto name = std::to_string(identity);
            return Reservation(ports::Slot{reservation, UserAgentId{"ua-" + name}, "Mozilla/5.0 " + name, {}, until});
        }
        const auto first = line_.empty() ? now + lease_ : line_.begin()->first;
        return Reservation(ports::NextSlotAt{leases_.empty() ? first : std::min(first, leases_.begin()->first)});
    }

    Result<> take_back(const std::string& reservation, ports::SlotOutcome outcome, TimePoint now) {
        end_leases(now);
        const auto found = loans_.find(reservation);
        if (found == loans_.end()) return Error{Errc::conflict, "reservation " + reservation + " is over"};
        if (outcome == ports::SlotOutcome::unanswered) return {};  // its lease will end
        const auto loan = found->second;
        loans_.erase(found);
        leases_.erase({loan.until, reservation});
        line_.emplace(now, loan.identity);
        return limiters_[loan.identity].answered(loan.in_window, now);
    }

    void end_leases(TimePoint now) {
        while (!leases_.empty() && leases_.begin()->first <= now) {
            const auto found = loans_.find(leases_.begin()->second);
            const auto loan = found->second;
            if constexpr (requires(Limiter limiter) { limiter.lost(loan.in_window); })
                limiters_[loan.identity].lost(loan.in_window);
            line_.emplace(now, loan.identity);
            loans_.erase(found);
            leases_.erase(leases_.begin());
        }
    }

    Duration lease_;
    const ports::Clock& clock_;
    std::vector<Limiter> limiters_;
    std::set<std::pair<TimePoint, std::size_t>> line_;  // who has nothing under way, by when it may be worth asking
    std::map<std::string, Loan> loans_;
    std::set<std::pair<TimePoint, std::string>> leases_;
    std::uint64_t last_ = 0;
};

}  // namespace crawler::proof
