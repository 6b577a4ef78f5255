// Several processes on one database, some of which see Redis and some do not, and one clock that the test moves. Redis is real, and may be
// killed.
#pragma once
#include "adapters/redis/redis.hpp"
#include "integration/identity_pool_world.hpp"
#include "ports/identity_truth.hpp"
#include "support/redis_server.hpp"

namespace crawler::test {

struct RedisProcess {
    PoolProcess process;
    std::vector<std::pair<bool, std::string>> changes;  // whether Redis serves since then, and why not
    adapters::Redis redis;
    std::unique_ptr<ports::IdentityPool> pool;

    RedisProcess(const std::string& url, const std::string& name, const adapters::SqlIdentityPoolConfig& config,
                 const ports::Clock& clock, const std::string& redis_url,
                 std::function<void(std::string_view)> before_statement = {})
        : process(url, name, config, clock, test_keys(), std::move(before_statement)),
          redis(adapters::open_redis({.url = redis_url, .retry = Duration{0}})),
          pool(adapters::make_redis_identity_pool(*redis, *process.pool, blocks_of(config), clock)) {}

  private:
    adapters::RedisIdentityPoolConfig blocks_of(const adapters::SqlIdentityPoolConfig& config) {
        return {.spacing = config.limits.spacing,
                .guard = config.limits.guard,
                .ceiling = config.ceiling,
                .lease = config.lease,
                .at_once = config.at_once,
                .own_clock = false,
                .on_change = [this](bool by_redis, const std::string& why) { changes.emplace_back(by_redis, why); }};
    }
};

struct RedisWorld : PoolWorld<SqliteStores> {
    RedisServer server{{"--rdbcompression", "no", "--dbfilename", "kept.rdb"}};
    std::vector<std::unique_ptr<RedisProcess>> on_redis;

    RedisProcess& redis_process(std::function<void(std::string_view)> before_statement = {}) {
        on_redis.push_back(std::make_unique<RedisProcess>(place.url(), "r" + std::to_string(started++), config, clock,
                                                          server.url(), std::move(before_statement)));
        return *on_redis.back();
    }
    // It comes back with what it had at the last `keep()`, or empty.
    void crash_redis() {
        server.kill();
        server.start();
    }
    void keep() { REQUIRE(server.ask({"SAVE"}) == "OK\n"); }
    Duration block_end() const { return 10s + config.lease + config.limits.guard; }
};

}  // namespace crawler::test
