#include "domain/time.hpp"

namespace crawler::application {

bool is_past(TimePoint time) {
    return time < std::chrono::system_clock::now();
}

}  // namespace crawler::application
