#include "common/outside.hpp"
#include "runtime/start.hpp"

namespace crawler::services {

using namespace std::chrono_literals;
using runtime::between;

namespace {

void read_ceiling(runtime::Node section, CeilingLimits& ceiling) {
    section.read("per_second", ceiling.per_second, between(1, 1'000'000));
    section.read("per_hour", ceiling.per_hour, between(1, 100'000'000));
    section.read("guard", ceiling.guard, between(0s, 10min));
}

void read_health(runtime::Node section, HealthPolicy& health) {
    section.read("success_gain", health.success_gain, between(0, 100));
    section.read("throttled_loss", health.throttled_loss, between(0, 100));
    section.read("server_error_loss", health.server_error_loss, between(0, 100));
    section.read("failure_loss", health.failure_loss, between(0, 100));
    section.read("floor", health.floor, between(0, 100));
    section.read("recovered_health", health.recovered_health, between(0, 100));
    section.read("suspension", health.suspension, between(1ms, 168h));
    section.read("quarantine", health.quarantine, between(1ms, 168h));
    section.read("longest_retry_after", health.longest_retry_after, between(1ms, 168h));
    section.read("token_failures_to_block", health.token_failures_to_block, between(1, 100));
}

void read_sessions(runtime::Node section, SessionPolicy& sessions) {
    section.read("lifetime", sessions.lifetime, between(1s, 720h));
    section.read("spread", sessions.spread, between(0s, 720h));
    section.read("retry", sessions.retry, between(1ms, 24h));
    section.read("at_once", sessions.at_once, between(1, 1000));
    section.read("look_again", sessions.look_again, between(1ms, 10min));
}

void read_redis(runtime::Node section, PoolConfig& config) {
    auto& redis = config.redis;
    section.read("url", redis.url);
    section.read("password", redis.password);
    section.read("sentinel_password", redis.sentinel_password);
    section.read("ca_file", redis.ca_file);
    section.read("prefix", redis.prefix, runtime::non_blank());
    section.read("connect_timeout", redis.connect_timeout, between(10ms, 1min));
    section.read("answer_timeout", redis.answer_timeout, between(10ms, 1min));
    section.read("retry", redis.retry, between(0s, 10min));
    section.read("identities", config.blocks.identities, between(1, 1000));
    section.read("requests", config.blocks.requests, between(1, 1000));
    section.read("hold", config.blocks.hold, between(100ms, 10min));
    const auto sound = redis.url.empty() ? Result<>{} : redis.check();
    section.check("url", static_cast<bool>(sound), sound ? "" : sound.error().detail);
}

}  // namespace

void read_pool(runtime::Node section, PoolConfig& config) {
    auto& rules = config.rules;
    section.read("token_keys", config.token_keys);
    // None at all is told at the start: the file that shows every key has none.
    const auto keys = adapters::parse_token_keys(config.token_keys.reveal());
    section.check("token_keys", config.token_keys.empty() || keys, keys ? "" : keys.error().detail);
    section.read("limit", rules.limits.limit, between(1, 10'000'000));
    section.read("window", rules.limits.span, between(1ms, 168h));
    section.read("spacing", rules.limits.spacing, between(0s, 1h));
    section.read("guard", rules.limits.guard, between(0s, 10min));
    section.read("lease", rules.lease, between(100ms, 1h));
    section.read("at_once", rules.at_once, between(1, 100'000));
    section.read("server_clock", rules.server_clock);
    read_ceiling(section.section("ceiling"), rules.ceiling);
    read_health(section.section("health"), rules.health);

    auto breaker = section.section("breaker");
    breaker.read("least_available_percent", rules.breaker.least_available_percent, between(0, 100));
    breaker.read("open_for", rules.breaker.open_for, between(1ms, 24h));
    auto blame = section.section("blame");
    blame.read("identities", rules.blame.identities, between(1, 1000));
    blame.read("span", rules.blame.span, between(1ms, 1h));
    read_sessions(section.section("sessions"), rules.sessions);
    read_redis(section.section("redis"), config);

    const auto sound = rules.check();
    section.check("limit", static_cast<bool>(sound), sound ? "" : sound.error().detail);
}

namespace {

adapters::TokenKeys keys_of(const Secret& text) {
    auto keys = adapters::parse_token_keys(text.reveal());
    if (!keys) throw std::invalid_argument(keys.error().detail + "; crawlerctl agents new-key makes one");
    return *std::move(keys);
}

adapters::RedisIdentityPoolConfig blocks_of(const PoolConfig& config, ports::Telemetry& telemetry) {
    auto blocks = config.blocks;
    const auto& rules = config.rules;
    blocks.spacing = rules.limits.spacing;
    blocks.guard = rules.limits.guard;
    blocks.ceiling = rules.ceiling;
    blocks.lease = rules.lease;
    blocks.at_once = rules.at_once;
    blocks.success_gain = rules.health.success_gain;
    blocks.blame_span = rules.blame.span;
    blocks.on_change = [&telemetry](bool by_redis, const std::string& why) {
        telemetry.emit(ports::PoolServed{by_redis, why});
    };
    return blocks;
}

}  // namespace

OpenPool::OpenPool(const PoolConfig& config, Daemon& daemon)
    : ledger_(adapters::make_sql_identity_pool(*daemon.database, config.rules, keys_of(config.token_keys),
                                               *daemon.clock, *daemon.ids)),
      leases_(adapters::make_sql_leases(*daemon.database, *daemon.clock)) {
    if (config.redis.url.empty()) return;
    redis_ = adapters::open_redis(config.redis);
    before_ =
        adapters::make_redis_identity_pool(*redis_, *ledger_, blocks_of(config, *daemon.telemetry), *daemon.clock);
    leases_before_ = adapters::make_redis_leases(*redis_, *leases_, *daemon.clock);
}

OpenPool open_pool(const PoolConfig& config, Daemon& daemon) {
    return runtime::starting("pool.token_keys", [&] { return OpenPool(config, daemon); });
}

}  // namespace crawler::services
