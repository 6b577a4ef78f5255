#include "adapters/system/system.hpp"

#include <cstdint>
#include <cstdio>
#include <random>

#include "coro/sleep.hpp"

namespace crawler::adapters {
namespace {

class SystemClock final : public ports::Clock {
  public:
    TimePoint now() const override { return std::chrono::floor<Duration>(std::chrono::system_clock::now()); }
};

class Sleeping final : public ports::Pause {
  public:
    Async<> pass(Duration length) override { return coro::sleep(length); }
};

// 48 bits of milliseconds, then a counter of 12 and 62 bits around the fixed ones. A new millisecond draws the counter
// at random, with its highest bit clear; within one it grows by a random step, so that ids sort and yet cannot be
// guessed.
class UuidGenerator final : public ports::IdGenerator {
  public:
    explicit UuidGenerator(const ports::Clock& clock) : clock_(clock) {}

  private:
    static constexpr int low_bits = 62;
    static constexpr std::uint64_t low_mask = (std::uint64_t{1} << low_bits) - 1;
    static constexpr std::uint64_t high_mask = 0xfff;

    std::string next() override {
        const auto now = std::chrono::floor<std::chrono::milliseconds>(clock_.now()).time_since_epoch().count();
        if (now > milliseconds_) {
            begin(now);
        } else {
            step();
        }
        return text();
    }

    void begin(std::int64_t milliseconds) {
        milliseconds_ = milliseconds;
        high_ = random_() & (high_mask >> 1);
        low_ = ((std::uint64_t{random_()} << 32) | random_()) & low_mask;
    }

    void step() {
        low_ += std::uint64_t{1} + random_();
        high_ += low_ >> low_bits;
        low_ &= low_mask;
        if (high_ > high_mask) begin(milliseconds_ + 1);  // the millisecond is full: borrow from the next
    }

    std::string text() const {
        char uuid[37];
        std::snprintf(uuid, sizeof uuid, "%08llx-%04llx-7%03llx-%04llx-%012llx", bits(milliseconds_ >> 16, 32),
                      bits(milliseconds_, 16), bits(static_cast<std::int64_t>(high_), 12),
                      bits(static_cast<std::int64_t>(low_ >> 48), 14) | 0x8000u,
                      bits(static_cast<std::int64_t>(low_), 48));
        return uuid;
    }

    static unsigned long long bits(std::int64_t value, int count) {
        return static_cast<unsigned long long>(value) & ((1ull << count) - 1);
    }

    const ports::Clock& clock_;
    std::random_device random_;
    std::int64_t milliseconds_ = -1;
    std::uint64_t high_ = 0;  // 12 bits
    std::uint64_t low_ = 0;   // 62 bits
};

}  // namespace

std::unique_ptr<ports::Clock> make_system_clock() {
    return std::make_unique<SystemClock>();
}

std::unique_ptr<ports::Pause> make_pause() {
    return std::make_unique<Sleeping>();
}

std::unique_ptr<ports::IdGenerator> make_uuid_generator(const ports::Clock& clock) {
    return std::make_unique<UuidGenerator>(clock);
}

}  // namespace crawler::adapters
