#include "coro/virtual_time.hpp"

#include <algorithm>
#include <boost/asio/this_coro.hpp>
#include <cassert>
#include <optional>

#include "coro/event.hpp"

namespace crawler::coro {
namespace {

// Where an io_context keeps the virtual time that drives it, if any.
struct TimeSlot : boost::asio::execution_context::service {
    using key_type = TimeSlot;
    static inline boost::asio::execution_context::id id;
    explicit TimeSlot(boost::asio::execution_context& owner) : service(owner) {}
    void shutdown() override {}

    VirtualTime* time = nullptr;
};

TimeSlot& slot_of(boost::asio::execution_context& context) {
    return boost::asio::use_service<TimeSlot>(context);
}

}  // namespace

VirtualTime::VirtualTime(boost::asio::io_context& io) : io_(io) {
    assert(!slot_of(io_).time);
    slot_of(io_).time = this;
}

VirtualTime::~VirtualTime() {
    slot_of(io_).time = nullptr;
}

VirtualTime* VirtualTime::of(boost::asio::execution_context& context) {
    return slot_of(context).time;
}

bool VirtualTime::run(const std::function<bool()>& done) {
    for (;;) {
        run_ready();
        if (done()) return true;
        if (sleepers_.empty()) return false;
        wake_next();
    }
}

void VirtualTime::advance(std::chrono::nanoseconds length) {
    const auto end = elapsed_ + length;
    run_ready();
    while (!sleepers_.empty() && sleepers_.begin()->first <= end) {
        wake_next();
        run_ready();
    }
    elapsed_ = end;
}

// In the list from the moment it goes to sleep until it is woken, or leaves because its wait was cut.
struct VirtualTime::Sleeper {
    Sleeper(VirtualTime& owner, std::chrono::nanoseconds until, const boost::asio::any_io_executor& executor)
        : keeper(owner), woken(executor), place(keeper.sleepers_.emplace(until, this)) {}
    ~Sleeper() {
        if (place) keeper.sleepers_.erase(*place);
    }
    Sleeper(const Sleeper&) = delete;
    Sleeper& operator=(const Sleeper&) = delete;

    VirtualTime& keeper;
    Event woken;
    std::optional<decltype(sleepers_)::iterator> place;
};

Async<> VirtualTime::sleep(std::chrono::nanoseconds length) {
    const auto until = elapsed_ + std::max(length, std::chrono::nanoseconds{0});
    Sleeper sleeper(*this, until, co_await boost::asio::this_coro::executor);
    co_await sleeper.woken.wait();
}

void VirtualTime::run_ready() {
    io_.restart();
    io_.poll();
    while (held_ > 0) {
        io_.run_one();
        io_.poll();
    }
}

void VirtualTime::wake_next() {
    const auto next = sleepers_.begin();
    const auto [until, sleeper] = *next;
    elapsed_ = std::max(elapsed_, until);
    sleepers_.erase(next);
    sleeper->place.reset();
    sleeper->woken.notify_all();
}

}  // namespace crawler::coro
