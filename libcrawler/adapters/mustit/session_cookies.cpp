#include <algorithm>
#include <array>

#include "adapters/mustit/requests.hpp"

namespace crawler::adapters::mustit {
namespace {

constexpr std::array<std::string_view, 3> wanted{"token", "nid", "mustit_uid"};

std::string_view trimmed(std::string_view text) {
    const auto begin = std::min(text.find_first_not_of(" \t"), text.size());
    text.remove_prefix(begin);
    return text.substr(0, text.find_last_not_of(" \t") + 1);
}

// RFC 6265: what may stand in a cookie's value. Nothing else may follow us into a header of our own.
bool is_cookie_value(std::string_view value) {
    const auto fits = [](char c) { return c > ' ' && c < 127 && c != '"' && c != ',' && c != ';' && c != '\\'; };
    return !value.empty() && std::ranges::all_of(value, fits);
}

bool is_same_word(std::string_view one, std::string_view small) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::ranges::equal(one, small, {}, lower);
}

// Of "token=abc; Path=/; Max-Age=86400": the pair, and whether the cookie is given or, by an age of nothing, taken away.
struct SetCookie {
    std::string_view name;
    std::string_view value;
    bool is_taken_away = false;
};

SetCookie read_set_cookie(std::string_view header) {
    SetCookie cookie;
    bool is_pair = true;
    while (!header.empty()) {
        const auto end = std::min(header.find(';'), header.size());
        const auto part = header.substr(0, end);
        header.remove_prefix(std::min(end + 1, header.size()));
        const auto equals = std::min(part.find('='), part.size());
        const auto name = trimmed(part.substr(0, equals));
        const auto value = trimmed(part.substr(std::min(equals + 1, part.size())));
        if (is_pair) {
            cookie.name = name;
            cookie.value = value;
        } else if (is_same_word(name, "max-age")) {
            cookie.is_taken_away = value.starts_with('-') || value.find_first_not_of('0') == std::string_view::npos;
        }
        is_pair = false;
    }
    return cookie;
}

}  // namespace

Result<Secret> session_in(const std::vector<ports::HttpHeader>& headers) {
    std::array<std::string_view, wanted.size()> values;
    for (const auto& header : headers) {
        if (!is_same_word(header.name, "set-cookie")) continue;
        const auto cookie = read_set_cookie(header.value);
        const auto* found = std::ranges::find(wanted, cookie.name);
        if (found == wanted.end()) continue;
        if (!cookie.is_taken_away && !is_cookie_value(cookie.value))
            return Error{Errc::invalid, "the cookie " + std::string(*found) + " is not a cookie's value"};
        // The later one holds, as in any browser.
        values[static_cast<std::size_t>(found - wanted.begin())] =
            cookie.is_taken_away ? std::string_view{} : cookie.value;
    }
    std::string session;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (values[i].empty()) return Error{Errc::invalid, "no cookie " + std::string(wanted[i]) + " was given"};
        session += (i == 0 ? "" : "; ") + std::string(wanted[i]) + "=" + std::string(values[i]);
    }
    return Secret(std::move(session));
}

}  // namespace crawler::adapters::mustit
