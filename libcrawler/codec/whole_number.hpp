// Reads a whole number from the many ways in which the marketplace writes one. Strict: what is not clearly a number is none.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace crawler::codec {

// 621000, 621,000 (groups of exactly three) and 621000.00 (a fraction of zeros) are the same number. None: a sign, an exponent,
// leading zeros, spaces, a currency, anything beyond 63 bits.
std::optional<std::int64_t> whole_number(std::string_view text);

}  // namespace crawler::codec
