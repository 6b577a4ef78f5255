// What others wrote and people read (an error, a reason), as every column takes it: a failure must not fail to be stored because
// of the text that it came with. For whoever makes rows.
#pragma once
#include <string_view>

#include "adapters/sql/value.hpp"
#include "domain/text_rules.hpp"

namespace crawler::adapters::sql {

// Far less than the columns hold (16 MB), and any server takes in one statement; more than anybody reads.
inline constexpr std::size_t most_free_text = 60'000;

inline Value free_text(std::string_view text) {
    return legible(text, most_free_text);
}

}  // namespace crawler::adapters::sql
