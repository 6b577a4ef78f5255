// A SHA-256, as a value. Computed at the edge (codec); here digests are only compared and kept.
#pragma once
#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "domain/result.hpp"

namespace crawler {

struct Digest {
    std::array<std::uint8_t, 32> bytes{};

    // 64 hexadecimal digits, in either case. invalid: anything else.
    static Result<Digest> parse(std::string_view hex);
    std::string hex() const;  // lower case

    friend auto operator<=>(const Digest&, const Digest&) = default;
};

}  // namespace crawler
