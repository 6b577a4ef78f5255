// What coro must not utter: it knows Boost.Asio and nothing of crawling.
#pragma once
#pragma GCC poison soci Aws YAML prometheus spdlog redisContext beast
#pragma GCC poison Errc TimePoint ports application adapters runtime
