#include "codec/pick_value.hpp"

#include <algorithm>
#include <cstdint>

#include "codec/canonical.hpp"
#include "codec/whole_number.hpp"
#include "domain/text_rules.hpp"

namespace crawler::codec {
namespace {

constexpr std::size_t longest_found = 60;

bool is_digits(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool append_text(std::string& out, bool may_be_blank, const Token& token) {
    const bool is_text =
        token.kind == Token::Kind::text || (token.kind == Token::Kind::number && is_digits(token.text));
    if (!is_text || (!may_be_blank && is_blank(token.text))) return false;
    append_quoted(out, token.text);
    return true;
}

bool append_whole(std::string& out, const Token& token, std::int64_t least, std::int64_t most) {
    if (token.kind != Token::Kind::text && token.kind != Token::Kind::number) return false;
    const auto number = whole_number(token.text);
    if (!number || *number < least || *number > most) return false;
    append_number(out, *number);
    return true;
}

}  // namespace

bool append_value(std::string& out, Rule rule, const Token& token) {
    switch (rule) {
        case Rule::text:
            return append_text(out, true, token);
        case Rule::name:
            return append_text(out, false, token);
        case Rule::price:
        case Rule::number:
            return append_whole(out, token, 1, INT64_MAX);
        case Rule::count:
            return append_whole(out, token, 0, INT64_MAX);
        case Rule::percent:
            return append_whole(out, token, 0, 100);
        case Rule::flag:
            if (token.kind != Token::Kind::flag) return false;
            out += token.text;
            return true;
    }
    return false;
}

std::string_view demand(Rule rule) {
    switch (rule) {
        case Rule::text:
            return "must be text";
        case Rule::name:
            return "must be text that is not blank";
        case Rule::price:
            return "must be a positive price";
        case Rule::number:
            return "must be a whole number above zero";
        case Rule::count:
            return "must be a whole number, zero or above";
        case Rule::percent:
            return "must be a whole number from 0 to 100";
        case Rule::flag:
            return "must be true or false";
    }
    return "must be something else";
}

std::string description(const Token& token) {
    if (token.kind == Token::Kind::null) return "null";
    auto shown = token.text.substr(0, longest_found);
    if (shown.size() < token.text.size()) {  // not in the middle of a character
        while (!shown.empty() && (static_cast<unsigned char>(token.text[shown.size()]) & 0xC0U) == 0x80U)
            shown.remove_suffix(1);
    }
    const std::string_view more = shown.size() < token.text.size() ? "\u2026" : "";
    std::string out;
    if (token.kind == Token::Kind::text) {
        append_quoted(out, std::string(shown) + std::string(more));
    } else {
        out.append(shown).append(more);
    }
    return out;
}

}  // namespace crawler::codec
