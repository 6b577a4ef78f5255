#include "query.hpp"

#include <algorithm>
#include <charconv>

namespace marketsim {
namespace {

std::optional<unsigned> hex_digit(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
    if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
    return std::nullopt;
}

bool is_escape(std::string_view text, std::size_t at) {
    return at + 2 < text.size() && text[at] == '%' && hex_digit(text[at + 1]) && hex_digit(text[at + 2]);
}

// Nothing where a % begins no escape.
std::optional<std::string> decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        if (!is_escape(text, i)) return std::nullopt;
        out += static_cast<char>(*hex_digit(text[i + 1]) * 16 + *hex_digit(text[i + 2]));
        i += 2;
    }
    return out;
}

}  // namespace

bool has_escape(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (is_escape(text, i)) return true;
    }
    return false;
}

std::optional<std::int64_t> number(std::string_view text) {
    std::int64_t value = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || std::to_string(value) != text) return std::nullopt;
    return value < 0 ? std::nullopt : std::optional(value);
}

std::variant<Parameters, std::string> read_query(std::string_view query) {
    Parameters parameters;
    while (!query.empty()) {
        const auto end = std::min(query.find('&'), query.size());
        const auto one = query.substr(0, end);
        query.remove_prefix(std::min(end + 1, query.size()));
        const auto equals = one.find('=');
        if (equals == std::string_view::npos) return "every parameter is name=value; not '" + std::string(one) + "'";
        const auto value = decoded(one.substr(equals + 1));
        if (!value) return "every % begins an escape of two hexadecimal digits; not in '" + std::string(one) + "'";
        if (!parameters.emplace(one.substr(0, equals), *value).second)
            return "every parameter stands once; not '" + std::string(one.substr(0, equals)) + "'";
    }
    return parameters;
}

}  // namespace marketsim
