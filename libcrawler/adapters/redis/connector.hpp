// The way to the server that the configuration means: asks sentinels and cluster nodes, shows the password, and looks whom it has found.
// Blocks; used by the link on its own thread.
#pragma once
#include "adapters/redis/redis.hpp"
#include "adapters/redis/wire.hpp"

namespace crawler::adapters::redis {

struct Connected {
    std::unique_ptr<Wire> wire;
    std::string run;  // the server's life: another one after every restart, and no two servers have the same
    RedisNode node;
};

class Connector {
  public:
    Connector(const RedisConfig& config, RedisAddress address) : config_(config), address_(std::move(address)) {}

    // unavailable: nobody is there, or it is a replica, or one that throws keys away when its memory is full.
    Result<Connected> connect() const;

  private:
    Result<std::unique_ptr<Wire>> open(const RedisNode& node, const Secret& password, const std::string& user) const;
    Result<RedisNode> master() const;
    Result<RedisNode> master_by_sentinel(const RedisNode& sentinel) const;
    Result<RedisNode> master_of_slot(const RedisNode& node) const;

    const RedisConfig& config_;
    const RedisAddress address_;
};

}  // namespace crawler::adapters::redis
