#include "sessions.hpp"

#include <algorithm>

#include "dice.hpp"

namespace marketsim {
namespace {

std::string hex(std::uint64_t bits) {
    std::string text;
    for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[bits >> shift & 15U];
    return text;
}

std::string_view trimmed(std::string_view text) {
    const auto begin = std::min(text.find_first_not_of(' '), text.size());
    text.remove_prefix(begin);
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

}  // namespace

Cookies read_cookies(std::string_view header) {
    Cookies cookies;
    while (!header.empty()) {
        const auto end = std::min(header.find(';'), header.size());
        const auto one = trimmed(header.substr(0, end));
        header.remove_prefix(std::min(end + 1, header.size()));
        const auto equals = std::min(one.find('='), one.size());
        const auto name = one.substr(0, equals);
        const auto value = one.substr(std::min(equals + 1, one.size()));
        if (name == "token") cookies.token = value;
        if (name == "nid") cookies.nid = value;
        if (name == "mustit_uid") cookies.mustit_uid = value;
    }
    return cookies;
}

const Cookies& Sessions::open(const std::string& user_agent, SimTime now) {
    auto& session = sessions_[user_agent];
    const auto chance = mixed(mixed(seed_, user_agent), static_cast<std::uint64_t>(++session.number));
    session.cookies = {.token = "tk-" + hex(chance) + hex(mixed(chance)),
                       .nid = "nid-" + hex(mixed(chance, 1)),
                       .mustit_uid = "uid-" + hex(mixed(chance, 2))};
    session.until = now + lifetime_;
    ++opened_;
    return session.cookies;
}

std::vector<std::string> Sessions::headers(const Cookies& cookies, double time_factor) const {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(real_time(lifetime_, time_factor)).count();
    // With 0 a client would forget the cookie at once instead of a little late.
    const auto age = std::to_string(std::max<std::int64_t>(1, seconds));
    const auto rest = "; Path=/; Max-Age=" + age + "; HttpOnly";
    return {"token=" + cookies.token + rest, "nid=" + cookies.nid + rest, "mustit_uid=" + cookies.mustit_uid + rest};
}

Sessions::Standing Sessions::check(const std::string& user_agent, const Cookies& cookies, SimTime now) const {
    if (cookies.token.empty()) return Standing::none;
    const auto found = sessions_.find(user_agent);
    if (found == sessions_.end() || found->second.cookies != cookies) return Standing::foreign;
    return now < found->second.until ? Standing::good : Standing::expired;
}

void Sessions::kill(const std::string& user_agent) {
    if (const auto found = sessions_.find(user_agent); found != sessions_.end()) found->second.until = SimTime::min();
}

}  // namespace marketsim
