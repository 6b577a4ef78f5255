#include "domain/percent_encoding.hpp"

#include <algorithm>

#include "domain/text_rules.hpp"

namespace crawler {
namespace {

constexpr std::string_view unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
constexpr std::string_view reserved = ":/?[]@!$&'()*+,;=";

// 0 to 15, or -1.
int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

}  // namespace

std::string percent_encode(std::string_view text) {
    constexpr char hex[] = "0123456789ABCDEF";
    std::string encoded;
    for (const char c : text) {
        if (unreserved.find(c) != std::string_view::npos) {
            encoded += c;
        } else {
            const auto byte = static_cast<unsigned char>(c);
            encoded += {'%', hex[byte >> 4], hex[byte & 15]};
        }
    }
    return encoded;
}

std::optional<std::string> percent_decode(std::string_view text) {
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            decoded += text[i];
            continue;
        }
        if (i + 2 >= text.size()) return std::nullopt;
        const auto high = hex_digit(text[i + 1]);
        const auto low = hex_digit(text[i + 2]);
        if (high < 0 || low < 0) return std::nullopt;
        decoded += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return decoded;
}

bool is_url_character(char c) {
    return c == '%' || unreserved.find(c) != std::string_view::npos || reserved.find(c) != std::string_view::npos;
}

bool looks_encoded(std::string_view value) {
    if (value.find('%') == std::string_view::npos || !std::ranges::all_of(value, is_url_character)) return false;
    const auto decoded = percent_decode(value);
    return decoded && is_utf8(*decoded);
}

}  // namespace crawler
