#include "coro/sleep.hpp"

#include <boost/asio/execution/context.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "coro/virtual_time.hpp"

namespace crawler::coro {

Async<> sleep(std::chrono::nanoseconds length) {
    auto executor = co_await boost::asio::this_coro::executor;
    auto& context = boost::asio::query(executor, boost::asio::execution::context);
    if (auto* time = VirtualTime::of(context)) {
        co_await time->sleep(length);
        co_return;
    }
    boost::asio::steady_timer timer(executor, length);
    co_await timer.async_wait(boost::asio::use_awaitable);
}

}  // namespace crawler::coro
