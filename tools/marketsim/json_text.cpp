#include "json_text.hpp"

#include <array>
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

constexpr std::uint64_t bytes_below(std::uint64_t word, std::uint64_t limit) {
    return (word - in_each_byte(limit)) & ~word & in_each_byte(0x80);
}

// Eight bytes at once: descriptions are long, and most of their bytes are fine.
bool may_need_escaping(const char* eight) {
    std::uint64_t word = 0;
    std::memcpy(&word, eight, sizeof word);
    return (bytes_below(word, 0x20) | bytes_below(word ^ in_each_byte('"'), 1) |
            bytes_below(word ^ in_each_byte('\\'), 1)) != 0;
}

std::size_t next_to_escape(std::string_view text, std::size_t at) {
    while (at < text.size()) {
        if (at + 8 <= text.size() && !may_need_escaping(text.data() + at)) {
            at += 8;
        } else if (must_be_escaped(text[at])) {
            return at;
        } else {
            ++at;
        }
    }
    return at;
}

void append_escaped(std::string& out, char c) {
    constexpr std::string_view hexadecimal = "0123456789abcdef";
    switch (c) {
        case '"':
            out += "\\\"";
            return;
        case '\\':
            out += "\\\\";
            return;
        case '\n':
            out += "\\n";
            return;
        case '\r':
            out += "\\r";
            return;
        case '\t':
            out += "\\t";
            return;
        default:
            break;
    }
    const auto code = static_cast<unsigned char>(c);
    out += "\\u00";
    out += hexadecimal[code >> 4U];
    out += hexadecimal[code & 0xFU];
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
    out += '"';
    std::size_t from = 0;
    while (from < text.size()) {
        const auto to = next_to_escape(text, from);
        out.append(text.substr(from, to - from));
        if (to < text.size()) append_escaped(out, text[to]);
        from = to + 1;
    }
    out += '"';
}

JsonText& JsonText::put(std::string_view piece) {
    out_.append(piece);
    return *this;
}

// A value never ends in one of these, so what was written last says whether something precedes.
JsonText& JsonText::comma() {
    if (!out_.empty() && out_.back() != '{' && out_.back() != '[') out_ += ',';
    return *this;
}

JsonText& JsonText::key(std::string_view name) {
    comma();
    out_ += '"';
    out_.append(name).append("\":");
    return *this;
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
