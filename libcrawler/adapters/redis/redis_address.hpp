// Where Redis is: one server, the sentinels that know it, or some nodes of a cluster. Reached by redis.hpp.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "domain/result.hpp"

namespace crawler::adapters {

struct RedisNode {
    std::string host;  // of a socket in the file system, its path
    int port = 0;      // 0: such a socket

    std::string text() const { return port == 0 ? host : host + ":" + std::to_string(port); }
};

struct RedisAddress {
    enum class Kind { server, sentinel, cluster };
    Kind kind = Kind::server;
    bool tls = false;
    std::string user;  // empty: the default one
    std::vector<RedisNode> nodes;
    std::string master;  // the name that the sentinels know it by
    int database = 0;
};

// invalid: says which part is wrong, never the whole text.
Result<RedisAddress> parse_redis_address(std::string_view url);

}  // namespace crawler::adapters
