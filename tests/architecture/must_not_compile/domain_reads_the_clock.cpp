#include "domain/time.hpp"

namespace crawler {

TimePoint now() {
    return std::chrono::floor<Duration>(std::chrono::system_clock::now());
}

}  // namespace crawler
