// The coroutine type of the whole project. Not called a task, because a task here is something to crawl.
#pragma once
#include <boost/asio/awaitable.hpp>

namespace crawler {

template <class T = void>
using Async = boost::asio::awaitable<T>;

}  // namespace crawler
