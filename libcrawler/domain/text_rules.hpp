// What a text must keep that people or the marketplace gave us: ids, names, codes. Used by the domain's own types.
#pragma once
#include <string>
#include <string_view>

#include "domain/result.hpp"

namespace crawler {

struct TextLimits {
    std::size_t bytes;
    std::size_t characters;  // Unicode code points
};

// Nothing but what Unicode calls white space (U+00A0, U+3000) or what shows nothing (U+200B, U+3164).
bool is_blank(std::string_view utf8);
bool is_utf8(std::string_view text);
// The text, for people, as UTF-8 whatever it was: a byte that belongs to no character becomes U+FFFD, and what is too much is cut off
// between two characters.
std::string legible(std::string_view text, std::size_t most_bytes);

// invalid unless the text is UTF-8, is not blank, has no control character and is within the limits; `what` names it in
// the message.
Result<> check_text(std::string_view what, std::string_view text, TextLimits limits);

}  // namespace crawler
