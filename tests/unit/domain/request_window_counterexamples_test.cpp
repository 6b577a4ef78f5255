// Limiters that do not keep the limit at the server, and the judge who must find them out. Without these a judge that never
// finds anything would pass for one.
#include <catch2/catch_test_macros.hpp>
#include <deque>

#include "support/false_limiters.hpp"
#include "support/server_view.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

constexpr TimePoint t0{std::chrono::sys_days{std::chrono::year{2026} / 11 / 18}};

class TokenBucket : public Spaced {
  public:
    LimiterAnswer reserve(TimePoint now, Duration lease) {
        if (free_ > now) return refused_until(free_);
        filled_ = std::max(filled_, now - 80 * one);
        if (filled_ + one > now) return refused_until(filled_ + one);
        filled_ += one;
        return grant(now, lease);
    }

  private:
    static constexpr Duration one = 45s;  // 80 an hour
    TimePoint filled_ = TimePoint::min();
};

// This hour's count and a share of the last hour's.
class SlidingCounter : public Spaced {
  public:
    LimiterAnswer reserve(TimePoint now, Duration lease) {
        if (free_ > now) return refused_until(free_);
        const auto hour = std::chrono::floor<std::chrono::hours>(now);
        if (hour != hour_) {
            before_ = hour - hour_ == 1h ? count_ : 0;
            count_ = 0;
            hour_ = hour;
        }
        const auto share = std::chrono::duration<double>(hour + 1h - now) / 1h;
        if (before_ * share + count_ + 1 > 80) return refused_until(now + 10s);
        ++count_;
        return grant(now, lease);
    }

  private:
    std::chrono::sys_time<std::chrono::hours> hour_;
    int count_ = 0;
    int before_ = 0;
};

// Exact, but of the moments at which somebody meant to send.
class SendTimeLog {
  public:
    LimiterAnswer reserve(TimePoint now, Duration) {
        if (!log_.empty() && log_.back() + 1s > now) return refused_until(log_.back() + 1s);
        while (!log_.empty() && log_.front() + 1h <= now) log_.pop_front();
        if (log_.size() == 80) return refused_until(log_.front() + 1h);
        log_.push_back(now);
        return granted(++last_);
    }
    static Result<> answered(std::uint64_t, TimePoint) { return {}; }

  private:
    std::deque<TimePoint> log_;
    std::uint64_t last_ = 0;
};

// Stamped twice and guarded like the true one, but each worker reads its own clock; one of the two is five minutes ahead.
class SkewedLog : public Spaced {
  public:
    LimiterAnswer reserve(TimePoint now, Duration lease) {
        if (free_ > now) return refused_until(free_);
        const auto skew = ++asked_ % 2 == 0 ? 5min : 0min;
        const auto own_time = now + skew;
        std::erase_if(log_, [&](TimePoint stamp) { return stamp + 1h + 10s <= own_time; });
        if (log_.size() >= 80) return refused_until(now + 30s);
        log_.push_back(now);
        return grant(now, lease);
    }
    Result<> answered(std::uint64_t reservation, TimePoint now) {
        log_.back() = now;
        return Spaced::answered(reservation, now);
    }

  private:
    std::deque<TimePoint> log_;
    int asked_ = 0;
};

// The worst that the judge finds over some seeds, with the traffic that the true window bears.
template <class Limiter>
RateFinding worst(const Traffic& traffic) {
    RateFinding worst;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Chance chance(seed);
        Limiter limiter;
        worst.add(judge(drive(limiter, {}, traffic, chance, t0).arrivals));
    }
    return worst;
}

const Traffic bursts{.length = 20h, .pause_percent = 2, .pause = 2h};
const Traffic steady{.length = 20h, .latency = 25s};
const Traffic crashes{.length = 20h, .crash_percent = 20};

}  // namespace

TEST_CASE("request window: the judge acquits the true window of the traffic that convicts the others") {
    CHECK(worst<TrueWindow>(bursts).keeps());
    CHECK(worst<TrueWindow>(steady).keeps());
    CHECK(worst<TrueWindow>(crashes).keeps());
}

TEST_CASE("request window: the judge catches a fixed window") {
    REQUIRE(worst<FixedWindow>(bursts).most_in_a_span > 150);
}

TEST_CASE("request window: the judge catches a token bucket") {
    REQUIRE(worst<TokenBucket>(bursts).most_in_a_span > 150);
}

TEST_CASE("request window: the judge catches a sliding counter") {
    REQUIRE(worst<SlidingCounter>(bursts).most_in_a_span > 100);
}

TEST_CASE("request window: the judge catches a sliding log by send time alone") {
    const auto found = worst<SendTimeLog>(steady);
    REQUIRE(found.most_in_a_span > 80);
    REQUIRE(found.closest < 1s);
}

TEST_CASE("request window: the judge catches a refund after a crash") {
    const auto found = worst<RefundingLog>(crashes);
    REQUIRE(found.most_in_a_span > 80);
    REQUIRE(found.closest < 1s);
}

TEST_CASE("request window: the judge catches the callers' own clocks") {
    REQUIRE(worst<SkewedLog>(steady).most_in_a_span > 80);
}

TEST_CASE("request window: the judge counts half open spans, and misses nothing in them") {
    CHECK(judge({}).keeps());
    CHECK(judge({t0, t0 + 1h}).most_in_a_span == 1);
    CHECK(judge({t0 + 1h - 1us, t0}).most_in_a_span == 2);
    CHECK(judge({t0 + 5s, t0, t0 + 3s}).closest == 2s);
    const RateRule two_a_minute{.limit = 2, .span = 1min, .spacing = 1s};
    const auto found = judge({t0, t0 + 1s, t0 + 59s, t0 + 60s, t0 + 60s + 999ms, t0 + 10min}, two_a_minute);
    CHECK(found.arrivals == 6);
    CHECK(found.most_in_a_span == 4);
    CHECK(found.spans_above == 3);
    CHECK(found.too_close == 1);
}
