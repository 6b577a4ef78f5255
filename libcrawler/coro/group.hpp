// Children of one parent: spawned up to a limit, always waited for. The only place besides the start of the program that sets a
// coroutine going.
#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <chrono>
#include <exception>
#include <functional>
#include <list>

#include "coro/async.hpp"
#include "coro/event.hpp"

namespace crawler::coro {

class Group {
  public:
    // `on_error` hears of every exception that leaves a child, except the cancellation that drain() itself caused.
    using OnError = std::function<void(std::exception_ptr)>;
    Group(boost::asio::any_io_executor executor, std::size_t limit, OnError on_error);
    // A group must be drained: a child that outlives it would be a use after free.
    ~Group();
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;

    std::size_t size() const { return children_.size(); }
    // How many children may be spawned now, at least one: waits until it is so.
    Async<std::size_t> room();
    // Needs room; waits for nothing.
    void spawn(Async<> work);
    // Returns when no child is left.
    Async<> empty();

    // Waits for the children; after `patience` cancels those that are left and waits for them to unwind.
    // Returns how many it cancelled.
    Async<std::size_t> drain(std::chrono::nanoseconds patience);

  private:
    using Children = std::list<boost::asio::cancellation_signal>;
    void ended(Children::iterator child, std::exception_ptr error);

    boost::asio::any_io_executor executor_;
    std::size_t limit_;
    OnError on_error_;
    Children children_;
    Event child_ended_;
    bool cancelling_ = false;
};

// Runs `body` with a group of its own and drains it, however the body ends: a body that fails, or is cancelled itself, has its
// children cancelled and waited for before the failure travels on. Returns how many children the drain cancelled.
Async<std::size_t> with_group(std::size_t limit, Group::OnError on_error, std::chrono::nanoseconds patience,
                              std::function<Async<>(Group&)> body);

}  // namespace crawler::coro
