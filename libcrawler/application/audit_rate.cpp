#include "application/audit_rate.hpp"

#include <algorithm>

namespace crawler::application {
namespace {

// When one request can have arrived, both ends included.
struct Arrival {
    TimePoint first;
    TimePoint last;
    bool is_certain = false;  // that it arrived at all
    bool is_open = false;     // nobody told what became of it
};

// An answer of the server proves that the request arrived; a broken connection and no answer at all prove nothing.
bool proves_arrival(const ports::LedgerEntry& entry) {
    return entry.answered && entry.outcome && *entry.outcome != RequestOutcome::server_error &&
           *entry.outcome != RequestOutcome::unanswered;
}

Arrival arrival_of(const ports::LedgerEntry& entry, Duration guard) {
    const auto too_late = entry.lease_end + guard;
    return {entry.reserved, std::min(entry.answered.value_or(too_late), too_late), proves_arrival(entry),
            !entry.answered};
}

struct Most {
    int count = 0;
    TimePoint from;
};

std::vector<TimePoint> sorted(const std::vector<Arrival>& arrivals, TimePoint Arrival::* end) {
    std::vector<TimePoint> times;
    times.reserve(arrivals.size());
    for (const auto& arrival : arrivals) times.push_back(arrival.*end);
    std::ranges::sort(times);
    return times;
}

int before(const std::vector<TimePoint>& times, TimePoint time) {
    return static_cast<int>(std::ranges::lower_bound(times, time) - times.begin());
}

// Those that can lie in [from, from + span): they begin before its end and do not end before it. The worst span begins where one ends.
Most most_possible(const std::vector<Arrival>& arrivals, Duration span) {
    const auto firsts = sorted(arrivals, &Arrival::first);
    const auto lasts = sorted(arrivals, &Arrival::last);
    Most most;
    for (const auto from : lasts) {
        const auto count = before(firsts, from + span) - before(lasts, from);
        if (count > most.count) most = {count, from};
    }
    return most;
}

// Those that must lie in [from, from + span): all of their time does. The worst span begins where one begins.
Most most_certain(std::vector<Arrival> arrivals, Duration span) {
    // What takes as long as the span fits in none; then what begins before a span ends before the end of that span.
    std::erase_if(arrivals, [&](const Arrival& a) { return !a.is_certain || a.last - a.first >= span; });
    const auto firsts = sorted(arrivals, &Arrival::first);
    const auto lasts = sorted(arrivals, &Arrival::last);
    Most most;
    for (const auto from : firsts) {
        const auto count = before(lasts, from + span) - before(firsts, from);
        if (count > most.count) most = {count, from};
    }
    return most;
}

// By the first moment; whoever was latest so far is the closest neighbour of whoever comes next. Those that were reserved at one moment
// are a block, lent to one who keeps the spacing within it, unless the end of more than one of them was told.
std::optional<Duration> closest_possible(std::vector<Arrival> arrivals) {
    std::ranges::sort(arrivals, {}, &Arrival::first);
    std::optional<Duration> closest;
    auto latest = TimePoint::min();
    auto moment = TimePoint::min();
    bool is_one_told = false;
    for (const auto& arrival : arrivals) {
        const bool is_of_block = arrival.first == moment && (arrival.is_open || !is_one_told);
        if (latest != TimePoint::min() && !is_of_block) {
            const auto gap = std::max(arrival.first - latest, Duration{0});
            closest = std::min(closest.value_or(gap), gap);
        }
        is_one_told = !arrival.is_open || (arrival.first == moment && is_one_told);
        moment = arrival.first;
        latest = std::max(latest, arrival.last);
    }
    return closest;
}

// How far two can have been apart at most is from the first moment of one to the last of the other, whichever is more. That is never
// less than their last moments are apart, so those that are further back than the closest so far need not be looked at.
std::optional<Duration> closest_certain(std::vector<Arrival> arrivals) {
    std::erase_if(arrivals, [](const Arrival& arrival) { return !arrival.is_certain; });
    std::ranges::sort(arrivals, {}, &Arrival::last);
    auto closest = Duration::max();
    for (auto later = arrivals.begin(); later != arrivals.end(); ++later) {
        for (auto earlier = later; earlier != arrivals.begin();) {
            --earlier;
            if (later->last - earlier->last >= closest) break;
            closest = std::min(closest, std::max(later->last - earlier->first, earlier->last - later->first));
        }
    }
    if (arrivals.size() < 2) return std::nullopt;
    return closest;
}

RateVerdict verdict_of(const IdentityRate& rate, const WindowLimits& limits) {
    const auto far = Duration::max();
    if (rate.most_certain > limits.limit || rate.closest_certain.value_or(far) < limits.spacing)
        return RateVerdict::broken;
    if (rate.most_possible > limits.limit || rate.closest_possible.value_or(far) < limits.spacing)
        return RateVerdict::unproven;
    return RateVerdict::kept;
}

}  // namespace

IdentityRate audit_rate(const UserAgentId& identity, const std::vector<ports::LedgerEntry>& entries,
                        const WindowLimits& limits) {
    std::vector<Arrival> arrivals;
    IdentityRate rate{.identity = identity, .requests = entries.size()};
    for (const auto& entry : entries) {
        arrivals.push_back(arrival_of(entry, limits.guard));
        if (!entry.answered) ++rate.unanswered;
    }
    const auto worst = most_possible(arrivals, limits.span);
    rate.most_possible = worst.count;
    rate.worst_at = worst.from;
    rate.most_certain = most_certain(arrivals, limits.span).count;
    rate.closest_possible = closest_possible(arrivals);
    rate.closest_certain = closest_certain(std::move(arrivals));
    rate.verdict = verdict_of(rate, limits);
    return rate;
}

Async<Result<std::size_t>> AuditRate::run_once() {
    const auto rates = co_await run(p_.clock.now() - 2 * limits_.span);
    if (!rates) co_return rates.error();
    co_return std::size_t{0};
}

Async<Result<std::vector<IdentityRate>>> AuditRate::run(TimePoint from) {
    const auto identities = co_await p_.ledger.identities(from);
    if (!identities) co_return identities.error();
    std::vector<IdentityRate> rates;
    ports::RateAudited event;
    for (const auto& identity : *identities) {
        const auto entries = co_await p_.ledger.since(from, identity);
        if (!entries) co_return entries.error();
        rates.push_back(audit_rate(identity, *entries, limits_));
        const auto& rate = rates.back();
        event.requests += rate.requests;
        event.most_possible = std::max(event.most_possible, rate.most_possible);
        event.unproven += rate.verdict == RateVerdict::unproven ? 1U : 0U;
        event.broken += rate.verdict == RateVerdict::broken ? 1U : 0U;
    }
    event.identities = rates.size();
    std::ranges::sort(rates, [](const IdentityRate& a, const IdentityRate& b) {
        return std::tie(b.verdict, b.most_possible, a.identity) < std::tie(a.verdict, a.most_possible, b.identity);
    });
    p_.telemetry.emit(event);
    co_return rates;
}

}  // namespace crawler::application
