// Percent-encoding (RFC 3986), as far as request URLs need it.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace crawler {

// Once: everything but letters, digits and -._~ becomes %XX, byte by byte.
std::string percent_encode(std::string_view text);

// Once. Empty where a % is not followed by two hexadecimal digits. A + stays a +.
std::optional<std::string> percent_decode(std::string_view text);

// May stand in a URL: letters, digits, -._~ the reserved characters and %, but not # (nothing is a fragment here).
bool is_url_character(char c);

// A value that looks as if it were still encoded: nothing but characters of a URL, with at least one escape, and decoding
// it gives UTF-8. Nobody can know better: "50%DC" may be what was meant (DC is how a Korean shop writes discount) and is
// told apart only because its escape is no UTF-8; "50%20" cannot be told apart from "50 ".
bool looks_encoded(std::string_view value);

}  // namespace crawler
