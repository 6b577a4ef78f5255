#include "domain/breaker.hpp"

#include <algorithm>

namespace crawler {
namespace {

constexpr std::string_view only_one = "of the pool";

}  // namespace

Result<> BreakerPolicy::check() const {
    if (least_available_percent < 0 || least_available_percent > 100)
        return Error{Errc::invalid, "breaker: least_available_percent is " + std::to_string(least_available_percent) +
                                        "; it must be from 0 to 100"};
    if (open_for <= Duration{0}) return Error{Errc::invalid, "breaker: open_for must be more than 0"};
    return {};
}

bool Breaker::observe(std::int64_t available, std::int64_t total, const BreakerPolicy& policy, TimePoint now) {
    // A pool of nobody has nobody available.
    const bool too_few = total <= 0 || available * 100 < policy.least_available_percent * total;
    if (!too_few) return false;
    if (!breaker_table.move(state_.status, BreakerVerb::trip, BreakerStatus::open, only_one)) return false;
    state_.open_until = now + policy.open_for;
    return true;
}

std::variant<Breaker::Permit, Breaker::RefusedUntil> Breaker::ask(TimePoint now, Duration lease) {
    if (const auto free = free_at(now); free > now) return RefusedUntil{free};
    // The table has no such move from CLOSED: nothing needs to be probed there.
    if (!breaker_table.move(state_.status, BreakerVerb::probe, BreakerStatus::half_open, only_one)) return Permit{};
    state_.open_until.reset();
    state_.probe_until = now + lease;
    return Permit{.probe = ++state_.probe};
}

TimePoint Breaker::free_at(TimePoint now) const {
    // At most one of the two is there.
    return std::max({now, state_.open_until.value_or(now), state_.probe_until.value_or(now)});
}

Result<> Breaker::probe_succeeded(std::uint64_t probe, TimePoint now) {
    return end_probe(probe, BreakerVerb::pass, BreakerStatus::closed, now);
}

Result<> Breaker::probe_failed(std::uint64_t probe, const BreakerPolicy& policy, TimePoint now) {
    auto ended = end_probe(probe, BreakerVerb::fail, BreakerStatus::open, now);
    if (ended) state_.open_until = now + policy.open_for;
    return ended;
}

Result<> Breaker::end_probe(std::uint64_t probe, BreakerVerb verb, BreakerStatus to, TimePoint now) {
    const bool given_up = probe != state_.probe || state_.probe_until <= now;
    if (breaker_table.allows(state_.status, verb) && given_up) {
        auto late = breaker_table.refusal(state_.status, verb, only_one);
        late.detail += ": probe " + std::to_string(probe) + " was given up";
        return late;
    }
    if (auto moved = breaker_table.move(state_.status, verb, to, only_one); !moved) return moved;
    state_.probe_until.reset();
    return {};
}

}  // namespace crawler
