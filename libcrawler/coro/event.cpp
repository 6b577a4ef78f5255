#include "coro/event.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

namespace crawler::coro {

Event::Event(const boost::asio::any_io_executor& executor)
    : timer_(executor, boost::asio::steady_timer::time_point::max()) {}

Async<> Event::wait() {
    const auto before = notified_;
    const auto [error] = co_await timer_.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
    if (notified_ == before) throw boost::system::system_error(error);  // we were cancelled, not notified
}

void Event::notify_all() {
    ++notified_;
    timer_.cancel();
}

Async<> forever() {
    Event never(co_await boost::asio::this_coro::executor);
    co_await never.wait();
}

}  // namespace crawler::coro
