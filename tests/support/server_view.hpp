// What a server sees of a limiter's grants, and a judge who knows no limiter. The simulated caller asks, waits, pauses, crashes.
#pragma once
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <random>
#include <vector>

#include "domain/request_window.hpp"

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

struct Judgement {
    int most_in_a_span = 0;
    Duration closest = Duration::max();

    bool keeps(const WindowLimits& limits) const { return most_in_a_span <= limits.limit && closest >= limits.spacing; }
};

inline Judgement judge(std::vector<TimePoint> arrivals, Duration span) {
    std::ranges::sort(arrivals);
    Judgement judgement;
    for (auto first = arrivals.begin(); first != arrivals.end(); ++first) {
        const auto past = std::lower_bound(first, arrivals.end(), *first + span);
        judgement.most_in_a_span = std::max(judgement.most_in_a_span, static_cast<int>(past - first));
        if (first != arrivals.begin()) judgement.closest = std::min(judgement.closest, *first - *(first - 1));
    }
    return judgement;
}

class Chance {
  public:
    explicit Chance(std::uint64_t seed) : engine_(seed) {}
    std::int64_t number(std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(least, most)(engine_);
    }
    bool percent(int share) { return number(1, 100) <= share; }
    // A third each: the first moment, the last, any.
    TimePoint between(TimePoint first, TimePoint last) {
        const auto which = number(0, 2);
        if (which == 0 || last <= first) return first;
        return which == 1 ? last : first + Duration{number(0, (last - first).count())};
    }

  private:
    std::mt19937_64 engine_;
};

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
