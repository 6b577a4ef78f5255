// Time that passes only when nothing else can happen. As long as one exists for an io_context, every sleep on that context
// takes virtual time: hours pass in milliseconds, and always in the same order.
#pragma once
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <map>

#include "coro/async.hpp"

namespace crawler::coro {

class VirtualTime {
  public:
    explicit VirtualTime(boost::asio::io_context& io);
    ~VirtualTime();
    VirtualTime(const VirtualTime&) = delete;
    VirtualTime& operator=(const VirtualTime&) = delete;

    std::chrono::nanoseconds elapsed() const { return elapsed_; }

    // Lets everything run that can, and jumps to the next wake-up when all of it waits; ends when `done` says so (true) or when
    // nobody waits for time any more (false). Calls on a BlockingPool take no virtual time: time stands still until they are back.
    bool run(const std::function<bool()>& done);
    // The same until `length` has passed.
    void advance(std::chrono::nanoseconds length);

    // What sleep() does under virtual time.
    Async<> sleep(std::chrono::nanoseconds length);

    // The virtual time of that context, or null where time is real.
    static VirtualTime* of(boost::asio::execution_context& context);

    // While one is there, work that takes real time is under way and virtual time stands still. Null: time is real anyway.
    class StandStill {
      public:
        explicit StandStill(VirtualTime* time) : time_(time) {
            if (time_) ++time_->held_;
        }
        ~StandStill() {
            if (time_) --time_->held_;
        }
        StandStill(const StandStill&) = delete;
        StandStill& operator=(const StandStill&) = delete;

      private:
        VirtualTime* time_;
    };

  private:
    struct Sleeper;
    void run_ready();
    void wake_next();

    boost::asio::io_context& io_;
    std::chrono::nanoseconds elapsed_{0};
    int held_ = 0;                                                // by so many StandStills
    std::multimap<std::chrono::nanoseconds, Sleeper*> sleepers_;  // equal times wake in the order they went to sleep
};

}  // namespace crawler::coro
