// The only source of wall time.
#pragma once
#include "domain/time.hpp"

namespace crawler::ports {

class Clock {
  public:
    virtual ~Clock() = default;
    virtual TimePoint now() const = 0;
};

}  // namespace crawler::ports
