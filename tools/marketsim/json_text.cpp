#include "json_text.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cstring>

namespace marketsim {
namespace {

bool must_be_escaped(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

constexpr std::uint64_t in_each_byte(std::uint64_t byte) {
    return byte * 0x0101010101010101ULL;
}

// The lowest bit that is set stands in the first byte below the limit; what is set above it may be wrong.
constexpr std::uint64_t bytes_below(std::uint64_t word, std::uint64_t limit) {
    return (word - in_each_byte(limit)) & ~word & in_each_byte(0x80);
}

// The place of the first of eight bytes that must be escaped, or 8. Descriptions are long, and most of their bytes are fine.
std::size_t first_to_escape(const char* eight) {
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t word = 0;
    std::memcpy(&word, eight, sizeof word);
    const auto found =
        bytes_below(word, 0x20) | bytes_below(word ^ in_each_byte('"'), 1) | bytes_below(word ^ in_each_byte('\\'), 1);
    return static_cast<std::size_t>(std::countr_zero(found)) / 8;
}

constexpr std::size_t longest_escape = 6;

// How many bytes the escape took.
std::size_t escape(char* to, char c) {
    constexpr std::string_view hexadecimal = "0123456789abcdef";
    const auto pair = [&](char second) {
        to[0] = '\\';
        to[1] = second;
        return std::size_t{2};
    };
    switch (c) {
        case '"':
        case '\\':
            return pair(c);
        case '\n':
            return pair('n');
        case '\r':
            return pair('r');
        case '\t':
            return pair('t');
        default:
            break;
    }
    const auto code = static_cast<unsigned char>(c);
    std::memcpy(to, "\\u00", 4);
    to[4] = hexadecimal[code >> 4U];
    to[5] = hexadecimal[code & 0xFU];
    return longest_escape;
}

}  // namespace

// Copied while it is looked at, by way of a buffer that has room for whatever eight bytes become.
void append_quoted(std::string& out, std::string_view text) {
    std::array<char, 1024> buffer;
    std::size_t used = 0;
    buffer[used++] = '"';
    for (std::size_t at = 0; at < text.size();) {
        if (used + 8 + longest_escape + 1 > buffer.size()) {
            out.append(buffer.data(), used);
            used = 0;
        }
        if (at + 8 <= text.size()) {
            std::memcpy(buffer.data() + used, text.data() + at, 8);
            const auto fine = first_to_escape(text.data() + at);
            used += fine;
            at += fine;
            if (fine < 8) used += escape(buffer.data() + used, text[at++]);
        } else if (must_be_escaped(text[at])) {
            used += escape(buffer.data() + used, text[at++]);
        } else {
            buffer[used++] = text[at++];
        }
    }
    buffer[used++] = '"';
    out.append(buffer.data(), used);
}

JsonText& JsonText::text(std::string_view name, std::string_view value) {
    key(name);
    append_quoted(out_, value);
    return *this;
}

JsonText& JsonText::text(std::string_view value) {
    comma();
    append_quoted(out_, value);
    return *this;
}

JsonText& JsonText::number(std::string_view name, std::int64_t value) {
    std::array<char, 24> digits{};
    const auto* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    return key(name).put({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

}  // namespace marketsim
