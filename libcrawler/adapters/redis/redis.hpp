// What Redis does for the crawler: a fast view before the database, which stays the truth. Everything that Redis loses the database
// knows, and whatever Redis does not answer the database does. What a factory takes by reference must outlive what it makes. Used
// by the daemons and by crawlerctl.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "adapters/redis/identity_pool.hpp"
#include "adapters/redis/redis_address.hpp"
#include "domain/secret.hpp"
#include "ports/clock.hpp"
#include "ports/identity_pool.hpp"
#include "ports/lease.hpp"

namespace crawler::adapters {

struct RedisConfig {
    // redis://host:6379, rediss:// (TLS), redis+unix:///run/redis.sock, redis+sentinel://a:26379,b:26379/master-name,
    // redis+cluster://a:6379,b:6379. What is not asked for in the URL (user@, /database) has Redis' defaults.
    std::string url = "redis://127.0.0.1:6379";
    Secret password;                 // of the server; it never stands in the URL
    Secret sentinel_password;        // of the sentinels
    std::string ca_file;             // for TLS; empty: what the system trusts
    std::string prefix = "crawler";  // of every key; fleets that share a server have one each
    Duration connect_timeout = std::chrono::milliseconds{500};
    Duration answer_timeout = std::chrono::milliseconds{500};
    // So long a server that did not answer is not asked again; the database does the work.
    Duration retry = std::chrono::seconds{1};
    // How much time has passed since whenever. For tests; without it that of the machine.
    std::function<Duration()> elapsed = {};

    // invalid: names the value and the rule. Nobody is asked.
    Result<> check() const;
};

// The library that Redis is spoken to with, chosen when this program was built.
std::string_view redis_client();

// One connection for all that a process asks Redis, which goes down the wire together. Nobody is asked before the first call.
class RedisLink;
struct CloseRedis {
    void operator()(RedisLink* link) const;
};
using Redis = std::unique_ptr<RedisLink, CloseRedis>;
// Throws std::invalid_argument where the configuration is no good.
Redis open_redis(RedisConfig config);

// Leases whose truth is elsewhere: whoever asks for what Redis knows somebody else to hold is refused without asking there.
std::unique_ptr<ports::Leases> make_redis_leases(RedisLink& link, ports::Leases& truth, const ports::Clock& clock);

// The pool in front of the ledger: who may ask next is found in Redis, out of requests that the ledger has lent to it. Where Redis does not
// answer, or its clock has stepped back, the ledger's own pool serves; where neither answers, nobody gets a slot. Throws
// std::invalid_argument where that pool is no ports::IdentityTruth.
std::unique_ptr<ports::IdentityPool> make_redis_identity_pool(RedisLink& link, ports::IdentityPool& ledger,
                                                              RedisIdentityPoolConfig config,
                                                              const ports::Clock& clock);

}  // namespace crawler::adapters
