#include "runtime/version.hpp"

namespace crawler::runtime {

std::string_view version() {
    return CRAWLER_VERSION;
}

}  // namespace crawler::runtime
