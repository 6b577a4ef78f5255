// The completeness proof of a run as JSON in canonical form, written and read back: stores keep it as one text.
#pragma once
#include <string>
#include <string_view>

#include "domain/completeness.hpp"

namespace crawler::codec {

// {"announced":500,"complete":498,"missing":[{"itemNo":118005032,"reason":"GONE"}],"seen":499}
std::string write_proof(const CompletenessProof::State& proof);
// invalid: not what write_proof writes; the detail names the member.
Result<CompletenessProof::State> read_proof(std::string_view text);

}  // namespace crawler::codec
