#include "coro/group.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <cassert>

#include "coro/timeout.hpp"

namespace crawler::coro {
namespace {

bool is_cancellation(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const boost::system::system_error& e) {
        return e.code() == boost::asio::error::operation_aborted;
    } catch (...) {
        return false;
    }
}

}  // namespace

Group::Group(boost::asio::any_io_executor executor, std::size_t limit, OnError on_error)
    : executor_(executor), limit_(limit), on_error_(std::move(on_error)), child_ended_(std::move(executor)) {
    assert(limit_ > 0);
}

Group::~Group() { assert(children_.empty()); }

Async<std::size_t> Group::room() {
    while (children_.size() >= limit_) co_await child_ended_.wait();
    co_return limit_ - children_.size();
}

void Group::spawn(Async<> work) {
    assert(children_.size() < limit_);
    const auto child = children_.emplace(children_.end());
    auto on_end = [this, child](std::exception_ptr error) { ended(child, std::move(error)); };
    boost::asio::co_spawn(executor_, std::move(work),
                          boost::asio::bind_cancellation_slot(child->slot(), std::move(on_end)));
}

Async<> Group::empty() {
    while (!children_.empty()) co_await child_ended_.wait();
}

Async<std::size_t> Group::drain(std::chrono::nanoseconds patience) {
    const auto finished = co_await with_timeout(empty(), patience);
    if (finished) co_return 0;

    const auto cut = children_.size();
    cancelling_ = true;
    for (auto& child : children_) child.emit(boost::asio::cancellation_type::terminal);
    co_await empty();
    cancelling_ = false;
    co_return cut;
}

void Group::ended(Children::iterator child, std::exception_ptr error) {
    children_.erase(child);
    child_ended_.notify_all();
    if (error && !(cancelling_ && is_cancellation(error))) on_error_(std::move(error));
}

}  // namespace crawler::coro
