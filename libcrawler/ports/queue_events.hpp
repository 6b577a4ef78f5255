// What is told of the two queues of the line. Part of telemetry.hpp.
#pragma once
#include <cstdint>

#include "domain/enum_names.hpp"
#include "domain/time.hpp"

namespace crawler::ports {

enum class LineQueue { tasks, triggers };  // a label, so an enum
constexpr auto names(LineQueue) {
    return std::to_array<EnumName<LineQueue>>({{LineQueue::tasks, "tasks"}, {LineQueue::triggers, "triggers"}});
}

struct MessagesSent {
    LineQueue queue{};
    std::size_t accepted = 0;
    std::size_t refused = 0;
};
struct MessagesReceived {
    LineQueue queue{};
    std::size_t count = 0;
    std::size_t again = 0;  // not for the first time
    Duration oldest{};      // how long the oldest had been there
};
struct QueueObserved {
    LineQueue queue{};
    std::int64_t waiting = 0;
    std::int64_t in_flight = 0;
    std::int64_t dead = 0;
};

}  // namespace crawler::ports
