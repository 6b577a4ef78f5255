#include "codec/whole_number.hpp"

#include <algorithm>
#include <limits>

namespace crawler::codec {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// With the first comma, every group after it has three digits and the one before it one to three.
bool is_grouped_well(std::string_view text) {
    const auto first = text.find(',');
    if (first == std::string_view::npos) return true;
    if (first == 0 || first > 3 || (text.size() - first) % 4 != 0) return false;
    for (std::size_t i = first; i < text.size(); ++i) {
        if ((text[i] == ',') != ((i - first) % 4 == 0)) return false;
    }
    return true;
}

}  // namespace

std::optional<std::int64_t> whole_number(std::string_view text) {
    if (const auto point = text.find('.'); point != std::string_view::npos) {
        const auto fraction = text.substr(point + 1);
        if (fraction.empty() || !std::ranges::all_of(fraction, [](char c) { return c == '0'; })) return std::nullopt;
        text = text.substr(0, point);
    }
    if (text.empty() || !is_grouped_well(text) || (text.size() > 1 && text[0] == '0')) return std::nullopt;

    constexpr auto limit = std::numeric_limits<std::int64_t>::max();
    std::int64_t number = 0;
    for (const char c : text) {
        if (c == ',') continue;
        if (!is_digit(c)) return std::nullopt;
        const std::int64_t digit = c - '0';
        if (number > (limit - digit) / 10) return std::nullopt;
        number = number * 10 + digit;
    }
    return number;
}

}  // namespace crawler::codec
