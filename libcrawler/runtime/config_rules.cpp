#include "runtime/config_rules.hpp"

#include <algorithm>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>
#include <cctype>
#include <charconv>
#include <utility>

namespace crawler::runtime {
namespace {

// The library's own number wraps around at 65536.
bool is_port(std::string_view text) {
    std::uint16_t port = 0;
    return std::from_chars(text.data(), text.data() + text.size(), port).ec == std::errc{} && port != 0;
}

}  // namespace

TextRule any_text() {
    return {{}, [](const std::string&) { return std::string_view{}; }};
}

TextRule non_blank() {
    const auto objection = [](const std::string& text) -> std::string_view {
        const auto is_space = [](unsigned char c) { return std::isspace(c) != 0; };
        return std::all_of(text.begin(), text.end(), is_space) ? "is blank" : "";
    };
    return {"must not be blank", objection};
}

TextRule or_empty(TextRule rule) {
    auto text = rule.rule + " or empty";
    const auto objection = [inner = std::move(rule.objection)](const std::string& value) {
        return value.empty() ? std::string_view{} : inner(value);
    };
    return {std::move(text), objection, rule.is_url};
}

TextRule url(std::vector<Scheme> schemes) {
    std::string rule = "must be a URL like";
    for (const auto& scheme : schemes) {
        rule +=
            (&scheme == &schemes.front() ? " " : " or ") + scheme.name + (scheme.needs_host ? "://host..." : ":...");
    }

    auto objection = [schemes = std::move(schemes)](const std::string& text) -> std::string_view {
        const auto parsed = boost::urls::parse_uri(text);
        if (!parsed.has_value()) return "is not a URL";
        const auto allowed = std::find_if(schemes.begin(), schemes.end(), [&](const Scheme& s) {
            return std::string_view{parsed->scheme().data(), parsed->scheme().size()} == s.name;
        });
        if (allowed == schemes.end()) return "has another scheme";
        if (allowed->needs_host && parsed->encoded_host().empty()) return "has no host";
        if (parsed->has_port() && !is_port({parsed->port().data(), parsed->port().size()}))
            return "has an impossible port";
        return "";
    };
    return {std::move(rule), std::move(objection), true};
}

}  // namespace crawler::runtime
