// What a configuration says about the budget of the identities, for commands that count with it.
#pragma once
#include <filesystem>
#include <optional>

#include "adapters/sql/sql.hpp"
#include "runtime/environment.hpp"

namespace crawler::ctl {

// Of a daemon's file or the environment (CRAWLER__POOL__LIMIT), else as the daemons have it where nothing is said. No key is needed. Throws
// std::runtime_error, with one line for the operator, where it is wrong.
adapters::SqlIdentityPoolConfig pool_rules(const std::optional<std::filesystem::path>& file,
                                           const runtime::Environment& environment);

}  // namespace crawler::ctl
