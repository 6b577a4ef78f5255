// The process environment as a value. Only environment.cpp touches the real one; everybody else is handed a map, and so
// is a test.
#pragma once
#include <functional>
#include <map>
#include <string>

namespace crawler::runtime {

using Environment = std::map<std::string, std::string, std::less<>>;

Environment process_environment();

}  // namespace crawler::runtime
