// Time as the domain knows it: UTC instants with microseconds, always handed in, never asked for.
#pragma once
#include <chrono>
#include <string>
#include <string_view>

#include "domain/result.hpp"

namespace crawler {

using Duration = std::chrono::microseconds;
using TimePoint = std::chrono::sys_time<Duration>;

// 2026-11-18T09:00:00.000001Z, always with six digits of fraction, so that text sorts as time does.
std::string to_rfc3339(TimePoint time);
// Reads what to_rfc3339 writes. invalid: any other form, or a date that there is not.
Result<TimePoint> parse_rfc3339(std::string_view text);

}  // namespace crawler
