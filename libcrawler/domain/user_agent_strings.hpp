// The fifty faces an identity may wear: desktop and mobile browsers as they present themselves. A pool is filled from them.
#pragma once
#include <span>
#include <string_view>

namespace crawler {

std::span<const std::string_view> user_agent_strings();

}  // namespace crawler
