// The machine's own clock and ids. Used by every daemon's main and by nobody else.
#pragma once
#include <memory>

#include "ports/clock.hpp"
#include "ports/id_generator.hpp"
#include "ports/pause.hpp"

namespace crawler::adapters {

std::unique_ptr<ports::Clock> make_system_clock();
std::unique_ptr<ports::Pause> make_pause();

// UUIDs of version 7 (RFC 9562). Each sorts behind the one before, also within one millisecond and when the clock steps
// back. For one thread, as everything on the I/O thread is.
std::unique_ptr<ports::IdGenerator> make_uuid_generator(const ports::Clock& clock);

}  // namespace crawler::adapters
