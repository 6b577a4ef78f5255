// What changed of a product, as JSON in canonical form, written and read back: changedFields of an event, and the product's history.
#pragma once
#include <string>
#include <string_view>

#include "codec/canonical.hpp"
#include "domain/field_diff.hpp"
#include "domain/result.hpp"

namespace crawler::codec {

// [{"after":3,"before":2,"path":"/detail/stock"}], by path. `before` or `after` is null where the field was not there or is no
// longer; no value of a field is null, so that is always clear.
std::string write_changes(const FieldDiff& diff);
void write_changes(CanonicalWriter& writer, const FieldDiff& diff);
// invalid: not what write_changes writes.
Result<FieldDiff> read_changes(std::string_view text);

}  // namespace crawler::codec
