// Time as the simulated world has it: what has passed since its start, times the time factor. Every limit, latency and age of the
// simulator is in this time.
#pragma once
#include <chrono>
#include <cstdint>

namespace marketsim {

using SimTime = std::chrono::duration<std::int64_t, std::micro>;

inline std::int64_t in_milliseconds(SimTime time) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

// What has passed in the simulated world. Whole seconds and the rest apart: nanoseconds times a large factor overflow within a day.
inline SimTime simulated_time(std::chrono::nanoseconds real, int factor) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(real);
    return std::chrono::duration_cast<SimTime>(seconds) * factor +
           std::chrono::duration_cast<SimTime>((real - seconds) * factor);
}

// How long a client waits for it.
inline std::chrono::nanoseconds real_time(SimTime time, double factor) {
    return std::chrono::nanoseconds{static_cast<std::int64_t>(static_cast<double>(time.count()) * 1000 / factor)};
}

}  // namespace marketsim
