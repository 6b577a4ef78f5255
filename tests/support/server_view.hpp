// What a server sees of a limiter's grants. The simulated caller asks, waits, pauses, crashes.
#pragma once
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <vector>

#include "domain/request_window.hpp"
#include "support/arrival_judge.hpp"
#include "support/chance.hpp"

namespace crawler::test {

struct Traffic {
    Duration length = std::chrono::hours{20};
    Duration lease = std::chrono::minutes{1};
    Duration latency =
        std::chrono::seconds{2};  // at most, from the reservation to sending and from there to the answer
    int crash_percent = 0;        // before sending or after, half and half
    int pause_percent = 0;        // of the grants are followed by one
    Duration pause{0};            // at most
};

struct ServerView {
    std::vector<TimePoint> arrivals;
    int granted = 0;
};

// What the marketplace must see of a window with these limits.
inline RateRule rule_of(const WindowLimits& limits) {
    return {limits.limit, limits.span, limits.spacing};
}

template <class Limiter>
concept Refunds = requires(Limiter limiter, std::uint64_t reservation) { limiter.lost(reservation); };

// Asks at once, again whenever told, and whenever an answer came.
template <class Limiter>
ServerView drive(Limiter& limiter, const WindowLimits& limits, const Traffic& traffic, Chance& chance,
                 TimePoint begin) {
    struct Happening {
        std::uint64_t reservation;
        bool answered;
    };
    ServerView view;
    std::multimap<TimePoint, Happening> happenings;
    auto ask = begin;
    auto pause_until = begin;
    while (std::min(ask, happenings.empty() ? ask : happenings.begin()->first) < begin + traffic.length) {
        if (!happenings.empty() && happenings.begin()->first <= ask) {
            const auto [now, happening] = *happenings.begin();
            happenings.erase(happenings.begin());
            // Refused where the answer took so long that the request was forgotten meanwhile.
            if (happening.answered) (void)limiter.answered(happening.reservation, now);
            if constexpr (Refunds<Limiter>) {
                if (!happening.answered) limiter.lost(happening.reservation);
            }
            ask = std::max(now, pause_until);
            continue;
        }

        const auto now = ask;
        const auto answer = limiter.reserve(now, traffic.lease);
        if (!answer) FAIL(answer.error().detail);
        if (const auto* refused = std::get_if<FreeAt>(&*answer)) {
            if (refused->time <= now) FAIL("refused until a time that is over");
            ask = refused->time;
            continue;
        }
        ++view.granted;
        const auto reservation = std::get<Granted>(*answer).reservation;
        const auto lease_end = now + traffic.lease;
        const auto too_late = lease_end + limits.guard;  // no packet is under way for longer
        if (chance.percent(traffic.crash_percent)) {
            if (chance.percent(50)) view.arrivals.push_back(chance.between(now, too_late));
            happenings.emplace(lease_end, Happening{reservation, false});
        } else {
            const auto sent = std::min(chance.between(now, now + traffic.latency), lease_end);
            const auto answered = chance.between(sent, sent + traffic.latency);
            view.arrivals.push_back(std::min(chance.between(sent, answered), too_late));
            happenings.emplace(answered, Happening{reservation, true});
        }
        if (chance.percent(traffic.pause_percent))
            pause_until = now + Duration{chance.number(0, traffic.pause.count())};
        ask = std::max(now, pause_until);
    }
    return view;
}

}  // namespace crawler::test
