#include "coro/group.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
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
    : executor_(std::move(executor)), limit_(limit), on_error_(std::move(on_error)), child_ended_(executor_) {
    assert(limit_ > 0);
}

Group::~Group() {
    assert(children_.empty());
}

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

Async<std::size_t> with_group(std::size_t limit, Group::OnError on_error, std::chrono::nanoseconds patience,
                              std::function<Async<>(Group&)> body) {
    Group group(co_await boost::asio::this_coro::executor, limit, std::move(on_error));
    std::exception_ptr failure;
    std::size_t cut = 0;
    try {
        co_await body(group);
        cut = co_await group.drain(patience);
    } catch (...) {
        failure = std::current_exception();
    }
    if (!failure) co_return cut;

    // Cancelled ourselves we would not be allowed to wait; but the children refer to what lives in our frames.
    co_await boost::asio::this_coro::reset_cancellation_state(boost::asio::disable_cancellation());
    constexpr std::chrono::nanoseconds at_once{0};
    co_await group.drain(at_once);
    std::rethrow_exception(failure);
}

}  // namespace crawler::coro
