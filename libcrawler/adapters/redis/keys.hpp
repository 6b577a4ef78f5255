// What keys are called. The tag in braces makes a cluster keep all of a fleet's keys on one node, where one script may touch them all.
#pragma once
#include <string>
#include <string_view>

namespace crawler::adapters::redis {

inline std::string key(const std::string& prefix, std::string_view name) {
    return "{" + prefix + "}:" + std::string(name);
}

}  // namespace crawler::adapters::redis
