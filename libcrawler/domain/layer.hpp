// What the domain must not utter. Force-included before every file of the layer: it is plain C++ that decides and never waits,
// so no library, no outer layer and no clock of its own.
#pragma once
#include <chrono>
#pragma GCC poison boost asio soci Aws YAML prometheus spdlog redisContext
#pragma GCC poison coro ports application adapters runtime
#pragma GCC poison system_clock steady_clock high_resolution_clock random_device getenv co_await
