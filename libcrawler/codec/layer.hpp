// What the codec must not utter: it turns things of the domain into text and back. Pure functions, so no waiting, no clock
// and no outer layer.
#pragma once
// Standard headers that Boost.JSON brings along and that name clocks themselves.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#pragma GCC poison asio soci Aws YAML prometheus spdlog redisContext
#pragma GCC poison coro ports application adapters runtime
#pragma GCC poison system_clock steady_clock high_resolution_clock random_device co_await
