#include "domain/request_window.hpp"

#include <algorithm>

namespace crawler {
namespace {

Error invalid(std::string text) {
    return {Errc::invalid, "request window: " + std::move(text)};
}

Result<> check(const RequestWindow::Stamp& stamp) {
    const auto name = "reservation " + std::to_string(stamp.reservation);
    if (stamp.lease_end <= stamp.reserved) return invalid(name + " was over before it was made");
    if (stamp.answered && *stamp.answered < stamp.reserved) return invalid(name + " was answered before it was made");
    return {};
}

}  // namespace

Result<> WindowLimits::check() const {
    if (limit < 1) return invalid("limit is " + std::to_string(limit) + "; it must be at least 1");
    if (span <= Duration{0}) return invalid("span is " + std::to_string(span.count()) + " us; it must be more than 0");
    if (spacing < Duration{0})
        return invalid("spacing is " + std::to_string(spacing.count()) + " us; it must be 0 or more");
    if (guard < Duration{0}) return invalid("guard is " + std::to_string(guard.count()) + " us; it must be 0 or more");
    return {};
}

Result<RequestWindow> RequestWindow::restore(WindowLimits limits, std::vector<Stamp> stamps) {
    if (auto sound = limits.check(); !sound) return sound.error();
    RequestWindow window(limits);
    for (auto& stamp : stamps) {
        if (auto sound = crawler::check(stamp); !sound) return sound.error();
        const auto number = stamp.reservation;
        window.seen_ = std::max({window.seen_, stamp.reserved, stamp.answered.value_or(stamp.reserved)});
        window.last_reservation_ = std::max(window.last_reservation_, number);
        const auto key = Key(window.latest(stamp), number);
        if (!window.log_.emplace(number, stamp).second)
            return invalid("reservation " + std::to_string(number) + " is there twice");
        window.by_latest_.insert(key);
    }
    // Of more than the limit only the last to leave decide. An answer may yet bring one of those forward, but never before the
    // ones that are dropped here.
    while (std::ssize(window.log_) > limits.limit) {
        const auto first = *window.by_latest_.begin();
        window.not_before_ = first.first + window.memory();
        window.log_.erase(first.second);
        window.by_latest_.erase(first);
    }
    return window;
}

Result<std::variant<Granted, FreeAt>> RequestWindow::reserve(TimePoint now, Duration lease) {
    if (lease <= Duration{0})
        return invalid("a lease of " + std::to_string(lease.count()) + " us; it must be more than 0");
    if (auto seen = see(now); !seen) return seen.error();
    forget(now);
    if (const auto free = free_at(now); free > now) return std::variant<Granted, FreeAt>(FreeAt{free});

    const Stamp stamp{.reservation = ++last_reservation_, .reserved = now, .answered = {}, .lease_end = now + lease};
    log_.emplace(stamp.reservation, stamp);
    by_latest_.emplace(latest(stamp), stamp.reservation);
    return std::variant<Granted, FreeAt>(Granted{stamp.reservation});
}

Result<> RequestWindow::answered(std::uint64_t reservation, TimePoint now) {
    const auto found = log_.find(reservation);
    if (found == log_.end())
        return Error{Errc::conflict, "reservation " + std::to_string(reservation) + " is not in the log"};
    auto& stamp = found->second;
    if (stamp.answered)
        return Error{Errc::conflict,
                     "reservation " + std::to_string(reservation) + " was answered at " + to_rfc3339(*stamp.answered)};
    // A clock that stepped back must not date the answer before what is known to have happened.
    seen_ = std::max(seen_, now);
    by_latest_.erase(Key(latest(stamp), reservation));
    stamp.answered = seen_;
    by_latest_.emplace(latest(stamp), reservation);
    return {};
}

Result<> RequestWindow::see(TimePoint now) {
    if (now < seen_)
        return Error{Errc::unavailable, "the clock has stepped back from " + to_rfc3339(seen_) + " to " +
                                            to_rfc3339(now) + "; nothing is granted until it has caught up"};
    seen_ = now;
    return {};
}

int RequestWindow::used(TimePoint now) const {
    // Only what the next reservation will throw away is walked over.
    const auto first = std::ranges::find_if(by_latest_, [&](const Key& key) { return key.first + memory() > now; });
    return static_cast<int>(std::ssize(by_latest_) - std::distance(by_latest_.begin(), first));
}

TimePoint RequestWindow::free_at(TimePoint now) const {
    auto free = std::max({now, seen_, not_before_});
    if (by_latest_.empty()) return free;
    if (std::ssize(log_) >= limits_.limit) free = std::max(free, by_latest_.begin()->first + memory());
    if (limits_.spacing > Duration{0}) free = std::max(free, by_latest_.rbegin()->first + limits_.spacing);
    return free;
}

std::vector<RequestWindow::Stamp> RequestWindow::stamps() const {
    std::vector<Stamp> all;
    all.reserve(log_.size());
    for (const auto& [number, stamp] : log_) all.push_back(stamp);
    return all;
}

// The last moment at which the server can have seen it. An answer that comes later still cannot make it later.
TimePoint RequestWindow::latest(const Stamp& stamp) const {
    const auto without_answer = stamp.lease_end + limits_.guard;
    return stamp.answered ? std::min(*stamp.answered, without_answer) : without_answer;
}

// How long a request is remembered; where the spacing is longer than the span, for its sake.
Duration RequestWindow::memory() const {
    return std::max(limits_.span + limits_.guard, limits_.spacing);
}

void RequestWindow::forget(TimePoint now) {
    while (!by_latest_.empty() && by_latest_.begin()->first + memory() <= now) {
        log_.erase(by_latest_.begin()->second);
        by_latest_.erase(by_latest_.begin());
    }
}

}  // namespace crawler
