// Wakes coroutines that wait for something to happen on their own thread.
#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>

#include "coro/async.hpp"

namespace crawler::coro {

class Event {
  public:
    explicit Event(const boost::asio::any_io_executor& executor);

    // Returns after the next notify_all(). Check the condition you wait for in a loop around it.
    Async<> wait();
    void notify_all();

  private:
    boost::asio::steady_timer timer_;  // never expires; cancelling it is the wake-up
    std::uint64_t notified_ = 0;
};

// Waits until it is cancelled; time does not end it.
Async<> forever();

}  // namespace crawler::coro
