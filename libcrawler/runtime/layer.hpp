// What the runtime must not utter: it turns any use case on any adapter into a daemon, so it knows none of them.
#pragma once
#pragma GCC poison application adapters soci Aws prometheus spdlog redisContext
