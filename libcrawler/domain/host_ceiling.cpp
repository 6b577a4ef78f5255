#include "domain/host_ceiling.hpp"

#include <algorithm>

namespace crawler {
namespace {

using namespace std::chrono_literals;

WindowLimits second_of(const CeilingLimits& limits) {
    return {.limit = limits.per_second, .span = 1s, .spacing = 0s, .guard = 0s};
}
WindowLimits hour_of(const CeilingLimits& limits) {
    return {.limit = limits.per_hour, .span = 1h, .spacing = 0s, .guard = limits.guard};
}

}  // namespace

Result<> CeilingLimits::check() const {
    if (auto sound = second_of(*this).check(); !sound)
        return Error{Errc::invalid, "host ceiling per second: " + sound.error().detail};
    if (auto sound = hour_of(*this).check(); !sound)
        return Error{Errc::invalid, "host ceiling per hour: " + sound.error().detail};
    return {};
}

Result<HostCeiling> HostCeiling::create(CeilingLimits limits) {
    return restore(limits, {});
}

Result<HostCeiling> HostCeiling::restore(CeilingLimits limits, const std::vector<RequestWindow::Stamp>& stamps) {
    if (auto sound = limits.check(); !sound) return sound.error();
    auto second = RequestWindow::restore(second_of(limits), stamps);
    if (!second) return second.error();
    auto hour = RequestWindow::restore(hour_of(limits), stamps);
    if (!hour) return hour.error();
    return HostCeiling(std::move(*second), std::move(*hour));
}

Result<std::variant<HostCeiling::Reservation, FreeAt>> HostCeiling::reserve(TimePoint now, Duration lease) {
    using Answer = std::variant<Reservation, FreeAt>;
    if (auto seen = see(now); !seen) return seen.error();
    if (const auto free = free_at(now); free > now) return Answer(FreeAt{free});

    const auto in_second = second_.reserve(now, lease);
    if (!in_second) return in_second.error();
    const auto in_hour = hour_.reserve(now, lease);
    if (!in_hour) return in_hour.error();
    return Answer(Reservation{std::get<Granted>(*in_second).reservation, std::get<Granted>(*in_hour).reservation});
}

Result<> HostCeiling::see(TimePoint now) {
    if (auto seen = second_.see(now); !seen) return seen;
    return hour_.see(now);
}

// The second may have forgotten a request whose lease was over long ago; the hour has not.
Result<> HostCeiling::answered(Reservation reservation, TimePoint now) {
    (void)second_.answered(reservation.in_second, now);
    return hour_.answered(reservation.in_hour, now);
}

TimePoint HostCeiling::free_at(TimePoint now) const {
    return std::max(second_.free_at(now), hour_.free_at(now));
}

}  // namespace crawler
