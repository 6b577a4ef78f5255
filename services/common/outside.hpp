// The outside world of the daemons: identities, the marketplace and the way to them, as the configuration chooses them; queues.hpp has
// the rest.
#pragma once
#include "adapters/mustit/mustit.hpp"
#include "adapters/redis/redis.hpp"
#include "application/attempt.hpp"
#include "application/slot_shelf.hpp"
#include "common/daemon.hpp"
#include "common/queues.hpp"
#include "runtime/consumer.hpp"

namespace crawler::services {

struct PoolConfig {
    adapters::SqlIdentityPoolConfig rules;
    Secret token_keys;                         // NAME:BASE64[,NAME:BASE64...], the first one seals
    adapters::RedisConfig redis{.url = ""};    // empty: none, the database alone
    adapters::RedisIdentityPoolConfig blocks;  // what is not about blocks is as in the rules
};
void read_pool(runtime::Node section, PoolConfig& config);

// The pool on the database, and Redis in front of it where the configuration has one.
class OpenPool {
  public:
    OpenPool(const PoolConfig& config, Daemon& daemon);

    ports::IdentityPool& operator*() const { return before_ ? *before_ : *ledger_; }
    // Leases of the database, behind the same Redis.
    ports::Leases& leases() const { return leases_before_ ? *leases_before_ : *leases_; }

  private:
    std::unique_ptr<ports::IdentityPool> ledger_;
    std::unique_ptr<ports::Leases> leases_;
    adapters::Redis redis_;
    std::unique_ptr<ports::IdentityPool> before_;
    std::unique_ptr<ports::Leases> leases_before_;
};
OpenPool open_pool(const PoolConfig& config, Daemon& daemon);

void read_http_client(runtime::Node section, adapters::HttpClientConfig& config);
std::unique_ptr<ports::HttpClient> open_http_client(const adapters::HttpClientConfig& config, Daemon& daemon);

// Its host must be one that the client may ask.
void read_marketplace(runtime::Node section, adapters::MustitConfig& config, const adapters::HttpClientConfig& client);
std::unique_ptr<ports::Marketplace> open_marketplace(const adapters::MustitConfig& config, ports::HttpClient& http);

struct SlotsConfig {
    Duration margin = std::chrono::seconds{30};      // before the end of its lease a slot is not handed out any more
    Duration idle = std::chrono::milliseconds{500};  // before an empty queue is looked at again
    Duration look_again = std::chrono::seconds{30};  // at most, before a pool without a slot is asked again
};
void read_slots(runtime::Node section, SlotsConfig& config);

void read_attempt(runtime::Node section, application::AttemptSettings& settings);

// What the request budget cannot serve is not taken off a queue: slots come first. None is reserved while there is nothing to spend
// it on; the queue is looked at again after `idle`. A pool that has none says when it will; it is asked again after `look_again` all the
// same, because an operator may have brought identities back meanwhile.
runtime::Admit admit_by_slots(application::SlotShelf& slots, ports::MessageQueue& queue, const ports::Clock& clock,
                              SlotsConfig config);

}  // namespace crawler::services
