#include "domain/digest.hpp"

namespace crawler {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

int value_of(char digit) {
    const auto lower = static_cast<char>(digit >= 'A' && digit <= 'F' ? digit - 'A' + 'a' : digit);
    const auto found = hex_digits.find(lower);
    return found == std::string_view::npos ? -1 : static_cast<int>(found);
}

}  // namespace

Result<Digest> Digest::parse(std::string_view hex) {
    const auto refusal = Error{Errc::invalid, "digest '" + std::string(hex) + "': must be 64 hexadecimal digits"};
    Digest digest;
    if (hex.size() != 2 * digest.bytes.size()) return refusal;
    for (std::size_t i = 0; i < digest.bytes.size(); ++i) {
        const auto high = value_of(hex[2 * i]);
        const auto low = value_of(hex[2 * i + 1]);
        if (high < 0 || low < 0) return refusal;
        digest.bytes[i] = static_cast<std::uint8_t>(high * 16 + low);
    }
    return digest;
}

std::string Digest::hex() const {
    std::string text;
    text.reserve(2 * bytes.size());
    for (const auto byte : bytes) {
        text += hex_digits[byte >> 4];
        text += hex_digits[byte & 15];
    }
    return text;
}

}  // namespace crawler
