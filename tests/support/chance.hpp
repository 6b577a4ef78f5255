// Chance that comes again with its seed.
#pragma once
#include <random>

#include "domain/time.hpp"

namespace crawler::test {

class Chance {
  public:
    explicit Chance(std::uint64_t seed) : engine_(seed) {}
    std::int64_t number(std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(least, most)(engine_);
    }
    bool percent(int share) { return number(1, 100) <= share; }
    bool permille(int share) { return number(1, 1000) <= share; }
    Duration length(Duration least, Duration most) { return Duration{number(least.count(), most.count())}; }
    // A third each: the first moment, the last, any.
    TimePoint between(TimePoint first, TimePoint last) {
        const auto which = number(0, 2);
        if (which == 0 || last <= first) return first;
        return which == 1 ? last : first + Duration{number(0, (last - first).count())};
    }

  private:
    std::mt19937_64 engine_;
};

}  // namespace crawler::test
