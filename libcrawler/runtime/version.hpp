// The version of the fleet, as CMake's project() states it.
#pragma once
#include <string_view>

namespace crawler::runtime {

std::string_view version();

}  // namespace crawler::runtime
