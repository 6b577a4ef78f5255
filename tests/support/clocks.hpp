// Clocks that a test moves: one by hand, one that is the virtual time of an io_context.
#pragma once
#include "coro/virtual_time.hpp"
#include "ports/clock.hpp"
#include "support/t0.hpp"

namespace crawler::test {

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
