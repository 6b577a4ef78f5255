// What was told, sorted out by kind.
#pragma once
#include <variant>
#include <vector>

#include "adapters/memory/memory.hpp"

namespace crawler::test {

template <class Event>
std::vector<Event> told(const adapters::MemoryTelemetry& telemetry) {
    std::vector<Event> found;
    for (const auto& event : telemetry.events()) {
        if (const auto* match = std::get_if<Event>(&event)) found.push_back(*match);
    }
    return found;
}

}  // namespace crawler::test
