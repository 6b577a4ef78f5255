#include <memory>

#include "ports/clock.hpp"

namespace crawler::adapters {
namespace {

struct StoppedClock final : ports::Clock {
    TimePoint now() const override { return TimePoint{}; }
};

}  // namespace

std::unique_ptr<ports::Clock> make_stopped_clock() {
    return std::make_unique<StoppedClock>();
}

}  // namespace crawler::adapters
