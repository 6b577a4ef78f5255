// The moment at which tests begin.
#pragma once
#include "domain/time.hpp"

namespace crawler::test {

using namespace std::chrono_literals;

inline constexpr TimePoint t0{std::chrono::sys_days{std::chrono::year{2026} / 11 / 18} + std::chrono::hours{9}};

}  // namespace crawler::test
