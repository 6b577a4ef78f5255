// One event as one line of JSON; telemetry.cpp writes it to the log.
#pragma once
#include "adapters/telemetry/event_spec.hpp"

namespace crawler::adapters {

// {"ts":...,"level":...,"service":...,"event":...} and the event's fields in the order of its description. Valid JSON
// without a line break whatever bytes the texts hold: what is not UTF-8 becomes U+FFFD, and a text over 2,000 bytes is
// cut, because container runtimes split long lines and half a line is no JSON.
std::string json_line(const ports::Event& event, TimePoint now, std::string_view service);

}  // namespace crawler::adapters
