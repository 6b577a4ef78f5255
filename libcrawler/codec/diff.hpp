// What changed between two canonical texts, field by field.
#pragma once
#include <string_view>

#include "domain/field_diff.hpp"
#include "domain/result.hpp"

namespace crawler::codec {

// A text is the set of its leaves, each at its JSON pointer: texts, numbers, flags, whole arrays (a list of images changes as one)
// and objects with nothing in them. The diff is what the two sets do not share, so diffs of one version after the other add up
// (FieldDiff::then). An empty text has no leaves: against it everything is new, or gone. Every path begins with `root`: "/detail".
//
// One walk over both texts; what is equal is neither copied nor stepped into. invalid: one of them is not canonical (they come from
// our own database, where others may have been at work).
Result<FieldDiff> diff(std::string_view before, std::string_view after, std::string_view root = {});

}  // namespace crawler::codec
