// Whether the client may ask those whom a configuration tells it to ask. Used by the daemons' config.cpp.
#pragma once
#include <string_view>

#include "adapters/http/http.hpp"
#include "runtime/config.hpp"

namespace crawler::services {

// `url` has been read at `key`: its host must be one of the client's.
void check_allowed(runtime::Node section, std::string_view key, std::string_view url,
                   const adapters::HttpClientConfig& client);

// Scheme and host, with a port or none, and nothing behind them but slashes.
bool is_bare(std::string_view url);

}  // namespace crawler::services
