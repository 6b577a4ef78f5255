// The slots that were lent and wait for their report, and when the leases of those are over that will never be reported.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "adapters/memory/identity_roster.hpp"
#include "domain/host_ceiling.hpp"

namespace crawler::adapters {

struct Loan {
    IdentityRoster::Member* member = nullptr;
    bool for_session = false;
    std::uint64_t in_window = 0;
    HostCeiling::Reservation in_ceiling{};
    std::optional<std::uint64_t> probe{};
    TimePoint until{};
};

class Loans {
  public:
    void add(const std::string& reservation, Loan loan) {
        leases_.emplace(loan.until, reservation);
        if (loan.for_session) session_leases_.emplace(loan.until, reservation);
        lent_.emplace(reservation, loan);
    }
    // Empty: it is over, was reported already or never was; or it is of the other kind.
    std::optional<Loan> take(const std::string& reservation, bool for_session) {
        const auto found = lent_.find(reservation);
        if (found == lent_.end() || found->second.for_session != for_session) return std::nullopt;
        auto loan = found->second;
        lent_.erase(found);
        leases_.erase({loan.until, reservation});
        session_leases_.erase({loan.until, reservation});
        return loan;
    }
    void end_leases(TimePoint now) {
        while (!leases_.empty() && leases_.begin()->first <= now) {
            session_leases_.erase(*leases_.begin());
            lent_.erase(leases_.begin()->second);
            leases_.erase(leases_.begin());
        }
    }

    // When one more may be under way, where there may be so many.
    TimePoint room_at(TimePoint now, int at_once) const { return room_in(leases_, now, at_once); }
    TimePoint session_room_at(TimePoint now, int at_once) const { return room_in(session_leases_, now, at_once); }

  private:
    using Leases = std::set<std::pair<TimePoint, std::string>>;
    static TimePoint room_in(const Leases& leases, TimePoint now, int at_once) {
        return std::ssize(leases) < at_once ? now : leases.begin()->first;
    }

    std::unordered_map<std::string, Loan> lent_;
    Leases leases_;          // the same, by the end of the lease
    Leases session_leases_;  // those of them that are to open a session
};

}  // namespace crawler::adapters
