// The query of a URL, decoded once: twice would be somebody's mistake, and is for the reader of a value to notice.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace marketsim {

using Parameters = std::map<std::string, std::string, std::less<>>;

// Or what is wrong with the query.
std::variant<Parameters, std::string> read_query(std::string_view query);

// Whether something in it still looks percent-encoded.
bool has_escape(std::string_view text);

// A whole number from 0 on, written the one way there is.
std::optional<std::int64_t> number(std::string_view text);

}  // namespace marketsim
