// Long answers, short on disk: deflated, and in base64, so that a text column of any character set holds them on every database.
#pragma once
#include <string>
#include <string_view>

#include "domain/result.hpp"

namespace crawler::adapters::sql {

std::string pack(std::string_view text);
// invalid: not what pack makes.
Result<std::string> unpack(std::string_view packed);

std::string to_base64(std::string_view bytes);
Result<std::string> from_base64(std::string_view text);

}  // namespace crawler::adapters::sql
