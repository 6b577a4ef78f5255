// A queue that tells what goes through it, whatever it stands on: what was sent and received, how long that waited, how much lies there.
#pragma once
#include <memory>

#include "ports/clock.hpp"
#include "ports/message_queue.hpp"
#include "ports/telemetry.hpp"

namespace crawler::services {

std::unique_ptr<ports::MessageQueue> observe(std::unique_ptr<ports::MessageQueue> queue, ports::LineQueue which,
                                             ports::Telemetry& telemetry, const ports::Clock& clock);

}  // namespace crawler::services
