#include "coro/stop.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <memory>

#include "coro/event.hpp"

namespace crawler::coro {

Async<> until(std::stop_token stop) {
    const auto executor = co_await boost::asio::this_coro::executor;
    // Shared, because the wake-up may still be on its way when this coroutine is gone.
    const auto stopped = std::make_shared<Event>(executor);
    const std::stop_callback wake(
        stop, [executor, stopped] { boost::asio::post(executor, [stopped] { stopped->notify_all(); }); });
    while (!stop.stop_requested()) co_await stopped->wait();
}

}  // namespace crawler::coro
