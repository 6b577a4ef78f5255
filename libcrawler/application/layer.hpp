// What the use cases must not utter: they know the domain and the ports. They do not wait, poll, spawn or look at a clock of
// their own.
#pragma once
#include <chrono>

#include "coro/async.hpp"
#pragma GCC poison boost asio soci Aws YAML prometheus spdlog redisContext
#pragma GCC poison coro adapters runtime
#pragma GCC poison system_clock steady_clock high_resolution_clock random_device getenv sleep_for
