#include "codec/canonical.hpp"

#include <array>
#include <cassert>
#include <charconv>
#include <optional>

namespace crawler::codec {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

// By byte: 0 = verbatim, 'u' = \u00xx, else the letter after the backslash.
constexpr auto escapes = [] {
    std::array<char, 256> table{};
    for (std::size_t c = 0; c < 0x20; ++c) table[c] = 'u';
    table['"'] = '"';
    table['\\'] = '\\';
    table['\b'] = 'b';
    table['\f'] = 'f';
    table['\n'] = 'n';
    table['\r'] = 'r';
    table['\t'] = 't';
    return table;
}();

char escape_of(char c) {
    return escapes[static_cast<unsigned char>(c)];
}

// The character that \<letter> stands for.
std::optional<char> character_of(char letter) {
    if (letter == 'u') return std::nullopt;
    for (std::size_t c = 0; c < escapes.size(); ++c) {
        if (escapes[c] == letter && letter != 0) return static_cast<char>(c);
    }
    return std::nullopt;
}

// The control character that is written as \u00xx at the start of `rest`, which follows the backslash.
std::optional<char> control_of(std::string_view rest) {
    if (rest.size() < 5 || rest.substr(0, 3) != "u00") return std::nullopt;
    const auto high = hex_digits.find(rest[3]);
    const auto low = hex_digits.find(rest[4]);
    if (high > 1 || low == std::string_view::npos) return std::nullopt;
    const auto c = static_cast<char>(high * 16 + low);
    return escape_of(c) == 'u' ? std::optional(c) : std::nullopt;
}

Error not_a_text(std::string_view why) {
    return {Errc::invalid, "not a text in canonical form: " + std::string(why)};
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
    out += '"';
    std::size_t clean = 0;  // where what is not copied yet begins
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char escape = escape_of(text[i]);
        if (escape == 0) [[likely]]
            continue;
        out.append(text.substr(clean, i - clean));
        clean = i + 1;
        out += '\\';
        out += escape;
        if (escape != 'u') continue;
        const auto code = static_cast<unsigned char>(text[i]);
        out += "00";
        out += hex_digits[code / 16];
        out += hex_digits[code % 16];
    }
    out.append(text.substr(clean));
    out += '"';
}

void append_number(std::string& out, std::int64_t number) {
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    out.append(digits.data(), end);
}

Result<std::string> unquoted(std::string_view fragment) {
    if (fragment.size() < 2 || fragment.front() != '"' || fragment.back() != '"') return not_a_text("no quotes");
    const auto inside = fragment.substr(1, fragment.size() - 2);
    std::string text;
    text.reserve(inside.size());
    for (std::size_t i = 0; i < inside.size(); ++i) {
        if (inside[i] != '\\') {
            if (escape_of(inside[i]) != 0) return not_a_text("a character that must be escaped");
            text += inside[i];
            continue;
        }
        const auto rest = inside.substr(i + 1);
        if (const auto plain = rest.empty() ? std::nullopt : character_of(rest[0])) {
            text += *plain;
            i += 1;
        } else if (const auto control = control_of(rest)) {
            text += *control;
            i += 5;
        } else {
            return not_a_text("an escape that is not ours");
        }
    }
    return text;
}

// What was written last tells whether a comma is due: nothing ends like this but what has just been opened.
void CanonicalWriter::comma() {
    if (out_.empty()) return;
    const char last = out_.back();
    if (last != '{' && last != '[' && last != ':') out_ += ',';
}

CanonicalWriter& CanonicalWriter::begin_object() {
    comma();
    out_ += '{';
    open_.push_back({});
    return *this;
}

CanonicalWriter& CanonicalWriter::end_object() {
    assert(!open_.empty());
    open_.pop_back();
    out_ += '}';
    return *this;
}

CanonicalWriter& CanonicalWriter::begin_array() {
    comma();
    out_ += '[';
    return *this;
}

CanonicalWriter& CanonicalWriter::end_array() {
    out_ += ']';
    return *this;
}

CanonicalWriter& CanonicalWriter::key(std::string_view name) {
    assert(!open_.empty());
    comma();
    const auto begin = out_.size() + 1;
    append_quoted(out_, name);
    auto& last = open_.back();
    [[maybe_unused]] const std::string_view all = out_;
    const auto size = out_.size() - 1 - begin;
    assert(last.begin == 0 || all.substr(last.begin, last.size) < all.substr(begin, size));
    last = {begin, size};
    out_ += ':';
    return *this;
}

CanonicalWriter& CanonicalWriter::text(std::string_view value) {
    comma();
    append_quoted(out_, value);
    return *this;
}

CanonicalWriter& CanonicalWriter::number(std::int64_t value) {
    comma();
    append_number(out_, value);
    return *this;
}

CanonicalWriter& CanonicalWriter::flag(bool value) {
    comma();
    out_ += value ? "true" : "false";
    return *this;
}

CanonicalWriter& CanonicalWriter::fragment(std::string_view canonical) {
    comma();
    out_ += canonical;
    return *this;
}

}  // namespace crawler::codec
