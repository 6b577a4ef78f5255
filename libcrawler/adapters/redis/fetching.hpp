// That somebody fetches, for as long as it lasts. Used by the identity pool.
#pragma once
#include "coro/event.hpp"

namespace crawler::adapters::redis {

// Whoever fetches may be cancelled; the others go on.
class Fetching {
  public:
    Fetching(bool& flag, coro::Event& over) : flag_(flag), over_(over) { flag_ = true; }
    ~Fetching() {
        flag_ = false;
        over_.notify_all();
    }
    Fetching(const Fetching&) = delete;
    Fetching& operator=(const Fetching&) = delete;

  private:
    bool& flag_;
    coro::Event& over_;
};

}  // namespace crawler::adapters::redis
