// Chance that falls the same on every machine: the standard's distributions and hashes are each library's own.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace marketsim {

// splitmix64's finaliser: every bit of the outcome depends on every bit of `value`.
constexpr std::uint64_t mixed(std::uint64_t value) {
    value += 0x9E3779B97F4A7C15ULL;
    value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    value = (value ^ (value >> 27U)) * 0x94D049BB133111EBULL;
    return value ^ (value >> 31U);
}

constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    return mixed(mixed(a) ^ b);
}

constexpr std::uint64_t mixed(std::uint64_t a, std::string_view text) {
    auto bits = mixed(a, text.size());
    for (const char c : text) bits = (bits ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    return mixed(bits);
}

// From 0 up to, not including, 1.
constexpr double fraction(std::uint64_t bits) {
    return static_cast<double>(bits >> 11U) / 9007199254740992.0;
}

class Dice {
  public:
    // Different streams of one seed know nothing of each other.
    explicit constexpr Dice(std::uint64_t seed, std::uint64_t stream = 0, std::uint64_t substream = 0)
        : state_(mixed(mixed(mixed(seed) ^ stream) ^ substream)) {}

    constexpr std::uint64_t next() { return state_ = mixed(state_); }
    constexpr std::uint64_t below(std::uint64_t end) { return next() % end; }
    constexpr std::int64_t between(std::int64_t first, std::int64_t last) {
        return first + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(last - first) + 1));
    }
    constexpr bool percent(std::uint64_t chance) { return below(100) < chance; }

    template <typename T, std::size_t N>
    const T& one_of(std::span<const T, N> all) {
        return all[below(all.size())];
    }

  private:
    std::uint64_t state_;
};

}  // namespace marketsim
