// The scripts that run inside Redis; scripts/*.lua, which are part of the program.
#pragma once
#include <string_view>

#include "adapters/redis/link.hpp"

namespace crawler::adapters::redis {

// Text of scripts/<name>.lua.
std::string_view embedded_script(std::string_view name);
// With what it stands on in front of it.
RedisLink::Script script_named(std::string_view name);

}  // namespace crawler::adapters::redis
