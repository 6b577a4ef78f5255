// Clocks that a test moves: one by hand, one that is the virtual time of an io_context.
#pragma once
#include "coro/virtual_time.hpp"
#include "ports/clock.hpp"

namespace crawler::test {

inline constexpr TimePoint t0{std::chrono::sys_days{std::chrono::year{2026} / 11 / 18} + std::chrono::hours{9}};

class ManualClock final : public ports::Clock {
  public:
    explicit ManualClock(TimePoint now = t0) : now_(now) {}
    TimePoint now() const override { return now_; }
    void set(TimePoint now) { now_ = now; }
    void advance(Duration length) { now_ += length; }

  private:
    TimePoint now_;
};

class VirtualClock final : public ports::Clock {
  public:
    explicit VirtualClock(const coro::VirtualTime& time) : time_(time) {}
    TimePoint now() const override { return t0 + std::chrono::floor<Duration>(time_.elapsed()); }

  private:
    const coro::VirtualTime& time_;
};

}  // namespace crawler::test
