#include <functional>
#include <stop_token>

#include "coro/async.hpp"

namespace crawler::runtime {

Async<> repeat(std::function<Async<>()> work, std::stop_token stop) {
    while (!stop.stop_requested()) co_await work();
}

}  // namespace crawler::runtime
