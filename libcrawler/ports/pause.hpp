// Lets time pass between two tries of one piece of work. A use case does not sleep by itself, so that a test decides how long a wait is.
#pragma once
#include "coro/async.hpp"
#include "domain/time.hpp"

namespace crawler::ports {

class Pause {
  public:
    virtual ~Pause() = default;
    virtual Async<> pass(Duration length) = 0;
};

}  // namespace crawler::ports
