#include "runtime/guarded_text.hpp"

#include <algorithm>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>
#include <cctype>

namespace crawler::runtime {
namespace {

bool is_name(std::string_view text) {
    const auto is_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
           std::all_of(text.begin(), text.end(), is_word);
}

bool is_scheme(std::string_view text) {
    const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '+' || c == '-' || c == '.'; };
    return std::all_of(text.begin(), text.end(), fits);
}

}  // namespace

void GuardedText::append(std::string_view part, bool hidden) {
    text_ += part;
    hidden_.resize(text_.size(), hidden);
}

void GuardedText::hide(std::size_t from, std::size_t to) {
    std::fill(hidden_.begin() + static_cast<std::ptrdiff_t>(from), hidden_.begin() + static_cast<std::ptrdiff_t>(to),
              true);
}

bool GuardedText::has_hidden() const {
    return std::find(hidden_.begin(), hidden_.end(), true) != hidden_.end();
}

std::string GuardedText::shown() const {
    std::string result;
    for (std::size_t i = 0; i < text_.size(); ++i) {
        if (!hidden_[i]) {
            result += text_[i];
        } else if (i == 0 || !hidden_[i - 1]) {
            result += "****";
        }
    }
    return result;
}

Expansion expand(std::string_view raw, const Environment& environment) {
    Expansion result;
    while (true) {
        const auto start = raw.find("${");
        if (start == std::string_view::npos) break;
        const bool escaped = start > 0 && raw[start - 1] == '$';
        result.text.append(raw.substr(0, escaped ? start - 1 : start), false);
        if (escaped) {
            result.text.append("${", false);
            raw.remove_prefix(start + 2);
            continue;
        }

        const auto end = raw.find('}', start);
        const auto name = end == std::string_view::npos ? std::string_view{} : raw.substr(start + 2, end - start - 2);
        if (!is_name(name)) {
            result.problems.push_back("has a ${ that is no ${NAME}; must be written $${ where a plain ${ is meant");
            return result;
        }
        if (const auto found = environment.find(name); found != environment.end()) {
            result.text.append(found->second, true);
        } else {
            result.problems.push_back("takes ${" + std::string(name) +
                                      "} from the environment, where it is not set; must be set");
        }
        raw.remove_prefix(end + 1);
    }
    result.text.append(raw, false);
    return result;
}

std::string without_expansion(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.substr(i).starts_with("${")) result += '$';
        result += text[i];
    }
    return result;
}

void hide_userinfo(GuardedText& url) {
    const std::string& text = url.text();
    const auto scheme_end = text.find("://");
    const bool has_scheme = scheme_end != std::string::npos && is_scheme(std::string_view{text}.substr(0, scheme_end));
    const auto from = has_scheme ? scheme_end + 3 : 0;

    // What is no whole URL may still hold a password (`user:password@host` even parses, as a scheme and a path), so
    // there everything up to the last @ goes.
    const auto parsed = boost::urls::parse_uri(text);
    const bool is_whole = parsed.has_value() && parsed->has_authority();
    const auto at = text.rfind('@', is_whole ? text.find_first_of("/?#", from) : std::string::npos);
    if (at != std::string::npos && at > from) url.hide(from, at);
}

}  // namespace crawler::runtime
