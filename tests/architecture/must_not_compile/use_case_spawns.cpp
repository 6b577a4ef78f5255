#include "coro/async.hpp"

namespace crawler::application {

template <class Executor>
void start(Executor executor, Async<> work) {
    boost::asio::co_spawn(executor, std::move(work), [](auto...) {});
}

}  // namespace crawler::application
