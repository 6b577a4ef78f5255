#include <algorithm>
#include <deque>
#include <unordered_map>

#include "adapters/memory/memory.hpp"

namespace crawler::adapters {
namespace {

// What one identity was reserved for in the last window: an exact log.
struct Identity {
    UserAgentId id;
    std::string user_agent;
    std::deque<TimePoint> log;

    // The earliest time at which it may ask again; in the past if it may now.
    TimePoint free_at(const MemoryIdentityPoolConfig& config) const {
        auto free = TimePoint::min();
        if (!log.empty()) free = log.back() + config.spacing;
        if (std::ssize(log) >= config.limit) free = std::max(free, log.front() + config.window);
        return free;
    }
    void reserve(const MemoryIdentityPoolConfig& config, TimePoint now) {
        log.push_back(now);
        if (std::ssize(log) > config.limit) log.pop_front();  // older ones can no longer fill a window
    }
};

class MemoryIdentityPool final : public ports::IdentityPool {
  public:
    using Reservation = std::variant<ports::Slot, ports::NextSlotAt>;

    MemoryIdentityPool(MemoryIdentityPoolConfig config, const ports::Clock& clock, Faults* faults)
        : config_(config), clock_(clock), faults_(faults) {
        for (int i = 1; i <= config.identities; ++i) {
            const auto number = std::to_string(i);
            identities_.push_back(
                {.id = UserAgentId{"ua-" + number}, .user_agent = "Mozilla/5.0 (identity " + number + ")"});
        }
    }

    Async<Result<Reservation>> reserve() override {
        auto body = [&]() -> Result<Reservation> {
            if (identities_.empty() || config_.limit < 1)
                return Error{Errc::unavailable, "the pool has no identity to lend"};
            const auto now = clock_.now();
            // The one that is free for the longest time, so that the load spreads.
            auto& next =
                *std::ranges::min_element(identities_, {}, [&](const Identity& i) { return i.free_at(config_); });
            if (next.free_at(config_) > now) return Reservation(ports::NextSlotAt{next.free_at(config_)});
            next.reserve(config_, now);
            return Reservation(lend(next, now));
        };
        co_return with_faults(faults_, "identity_pool.reserve", body);
    }

    Async<Result<>> report(ports::Slot slot, ports::SlotOutcome) override {
        auto body = [&]() -> Result<> {
            const auto open = open_.extract(slot.reservation);
            if (open.empty() || open.mapped() <= clock_.now())
                return Error{Errc::conflict, "reservation " + slot.reservation + " is over"};
            return {};
        };
        co_return with_faults(faults_, "identity_pool.report", body);
    }

  private:
    ports::Slot lend(const Identity& identity, TimePoint now) {
        std::erase_if(open_, [&](const auto& reservation) { return reservation.second <= now; });
        const auto reservation = "slot-" + std::to_string(++last_reservation_);
        const auto valid_until = now + config_.lease;
        open_.emplace(reservation, valid_until);
        return {reservation, identity.id, identity.user_agent, Secret("token-" + identity.id.value), valid_until};
    }

    MemoryIdentityPoolConfig config_;
    const ports::Clock& clock_;
    Faults* faults_;
    std::vector<Identity> identities_;
    std::unordered_map<std::string, TimePoint>
        open_;  // reservations that wait for their report, with the end of the lease
    std::uint64_t last_reservation_ = 0;
};

}  // namespace

std::unique_ptr<ports::IdentityPool> make_memory_identity_pool(MemoryIdentityPoolConfig config,
                                                               const ports::Clock& clock, Faults* faults) {
    return std::make_unique<MemoryIdentityPool>(config, clock, faults);
}

}  // namespace crawler::adapters
