// Judges single values by their rule. Private to `pick`.
#pragma once
#include <string>
#include <string_view>

#include "codec/shape.hpp"

namespace crawler::codec {

struct Token {
    enum class Kind { text, number, flag, null };
    Kind kind = Kind::null;
    std::string_view text;  // without quotes and escapes
};

// Appends the canonical form of the value. False, and nothing appended: it is not what the rule asks for.
bool append_value(std::string& out, Rule rule, const Token& token);

std::string_view demand(Rule rule);           // "must be a positive price"
std::string description(const Token& token);  // "무료" in quotes, 12.5, null; long texts cut

}  // namespace crawler::codec
