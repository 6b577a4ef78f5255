// What the ports must not utter: they speak of the domain and of Async, and of nothing that implements them.
#pragma once
#include "coro/async.hpp"
#pragma GCC poison boost asio soci Aws YAML prometheus spdlog redisContext
#pragma GCC poison coro application adapters runtime
