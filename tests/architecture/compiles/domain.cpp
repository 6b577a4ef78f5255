#include <string>

#include "domain/result.hpp"

namespace crawler {

Result<std::string> greet(std::string name) {
    if (name.empty()) return Error{Errc::invalid, "nobody to greet"};
    return "hello " + name;
}

}  // namespace crawler
