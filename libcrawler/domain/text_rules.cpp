#include "domain/text_rules.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace crawler {
namespace {

struct Range {
    char32_t first;
    char32_t last;
};

// White space as Unicode defines it, and then what is no white space but shows nothing: zero-width characters, the word
// joiner, the Hangul fillers and the byte order mark.
constexpr Range blanks[] = {{0x09, 0x0D},     {0x20, 0x20},     {0x85, 0x85},     {0xA0, 0xA0},
                            {0x1680, 0x1680}, {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F},
                            {0x205F, 0x205F}, {0x3000, 0x3000}, {0x115F, 0x1160}, {0x200B, 0x200F},
                            {0x2060, 0x2060}, {0x3164, 0x3164}, {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}};
constexpr Range controls[] = {{0x00, 0x1F}, {0x7F, 0x9F}};

template <std::size_t N>
bool is_in(const Range (&ranges)[N], char32_t c) {
    return std::ranges::any_of(ranges, [c](const Range& range) { return range.first <= c && c <= range.last; });
}

// A lead byte: how many bytes follow, the bits it carries, and the least character that needs that many bytes.
struct Lead {
    std::size_t following;
    char32_t bits;
    char32_t least;
};

std::optional<Lead> read_lead(unsigned char byte) {
    if (byte < 0x80) return Lead{0, byte, 0};
    if ((byte & 0xE0) == 0xC0) return Lead{1, byte & 0x1Fu, 0x80};
    if ((byte & 0xF0) == 0xE0) return Lead{2, byte & 0x0Fu, 0x800};
    if ((byte & 0xF8) == 0xF0) return Lead{3, byte & 0x07u, 0x10000};
    return std::nullopt;
}

// The character that begins at `at`, which then stands behind it. Empty where none does: cut off, overlong, a surrogate or beyond
// Unicode.
std::optional<char32_t> take_character(std::string_view text, std::size_t& at) {
    const auto lead = read_lead(static_cast<unsigned char>(text[at++]));
    if (!lead || text.size() - at < lead->following) return std::nullopt;
    auto character = lead->bits;
    for (std::size_t i = 0; i < lead->following; ++i) {
        const auto byte = static_cast<unsigned char>(text[at++]);
        if ((byte & 0xC0) != 0x80) return std::nullopt;
        character = (character << 6) | (byte & 0x3Fu);
    }
    const bool surrogate = character >= 0xD800 && character <= 0xDFFF;
    if (character < lead->least || character > 0x10FFFF || surrogate) return std::nullopt;
    return character;
}

// Empty where the text is not UTF-8.
std::optional<std::vector<char32_t>> decode(std::string_view text) {
    std::vector<char32_t> characters;
    characters.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const auto character = take_character(text, at);
        if (!character) return std::nullopt;
        characters.push_back(*character);
    }
    return characters;
}

Error refusal(std::string_view what, const std::string& rule) {
    return {Errc::invalid, std::string(what) + " " + rule};
}

std::string too_long(std::size_t found, std::size_t most, const char* unit) {
    return "has " + std::to_string(found) + " " + unit + "; at most " + std::to_string(most) + " are allowed";
}

bool are_blank(const std::vector<char32_t>& characters) {
    return std::ranges::all_of(characters, [](char32_t c) { return is_in(blanks, c); });
}

}  // namespace

bool is_blank(std::string_view utf8) {
    const auto characters = decode(utf8);
    return characters && are_blank(*characters);
}

bool is_utf8(std::string_view text) {
    return decode(text).has_value();
}

std::string legible(std::string_view text, std::size_t most_bytes) {
    constexpr std::string_view replacement = "\xEF\xBF\xBD";
    std::string legible;
    for (std::size_t at = 0; at < text.size();) {
        auto behind = at;
        const bool is_character = take_character(text, behind).has_value();
        if (!is_character) behind = at + 1;
        const auto piece = is_character ? text.substr(at, behind - at) : replacement;
        if (legible.size() + piece.size() > most_bytes) break;
        legible += piece;
        at = behind;
    }
    return legible;
}

Result<> check_text(std::string_view what, std::string_view text, TextLimits limits) {
    if (text.size() > limits.bytes) return refusal(what, too_long(text.size(), limits.bytes, "bytes"));
    const auto characters = decode(text);
    if (!characters) return refusal(what, "must be valid UTF-8");
    if (are_blank(*characters)) return refusal(what, "must not be blank");
    if (std::ranges::any_of(*characters, [](char32_t c) { return is_in(controls, c); }))
        return refusal(what, "must not have control characters");
    if (characters->size() > limits.characters)
        return refusal(what, too_long(characters->size(), limits.characters, "characters"));
    return {};
}

}  // namespace crawler
