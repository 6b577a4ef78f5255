#include "common/config.hpp"

namespace crawler::services {

using namespace std::chrono_literals;
using namespace runtime::literals;
using runtime::between;

namespace {

void read_database(runtime::Node section, adapters::DatabaseConfig& config) {
    section.read("url", config.url, runtime::url({"mysql", {"sqlite", false}}));
    section.read("min_connections", config.min_connections, between(1, 1000));
    section.read("max_connections", config.max_connections, between(1, 1000));
    section.check("max_connections", config.max_connections >= config.min_connections,
                  "must not be less than min_connections");
    section.read("idle_timeout", config.idle_timeout, between(1s, 24h));
    section.read("connect_timeout", config.connect_timeout, between(1s, 5min));
    section.read("read_timeout", config.read_timeout, between(1s, 1h));
    section.read("write_timeout", config.write_timeout, between(1s, 1h));
    section.read("lock_timeout", config.lock_timeout, between(1s, 5min));
    section.check("read_timeout", config.read_timeout > config.lock_timeout,
                  "must be longer than lock_timeout: who waits for a lock is silent");
    auto retry = section.section("lock_retry");
    retry.read("max_retries", config.lock_retry.max_retries, between(0, 100));
    retry.read("first_wait", config.lock_retry.first_wait, between(1ms, 1min));
    retry.read("longest_wait", config.lock_retry.longest_wait, between(1ms, 5min));
    retry.check("longest_wait", config.lock_retry.longest_wait >= config.lock_retry.first_wait,
                "must not be shorter than first_wait");
}

}  // namespace

void read_common(runtime::Node root, CommonConfig& config) {
    auto log = root.section("log");
    log.read("level", config.log.level);

    auto http = root.section("http");
    http.read("listen", config.http);
    http.read("max_connections", config.http.max_connections, between(1, 10'000));
    http.read("max_header", config.http.max_header, between(1_KiB, 64_KiB));
    http.read("max_body", config.http.max_body, between(1_KiB, 64_MiB));
    http.read("read_timeout", config.http.read_timeout, between(100ms, 5min));
    http.read("write_timeout", config.http.write_timeout, between(100ms, 5min));
    http.read("idle_timeout", config.http.idle_timeout, between(1s, 1h));
    http.read("drain", config.http.drain, between(0s, 5min));

    auto health = root.section("health");
    health.read("longest_silence", config.longest_silence, between(1min, 24h));

    read_database(root.section("database"), config.database);
}

void read_consumer(runtime::Node section, runtime::ConsumerConfig& config) {
    section.read("max_in_flight", config.max_in_flight, between(1, 1000));
    section.read("batch", config.batch, between(1, 10));
    section.read("wait", config.wait, between(0s, 20s));
    section.read("error_wait", config.error_wait, between(100ms, 10min));
    section.read("drain", config.drain, between(0s, 10min));
}

void read_periodic(runtime::Node section, runtime::PeriodicConfig& config) {
    section.read("interval", config.interval, between(10ms, 1h));
    section.read("error_wait", config.error_wait, between(100ms, 10min));
    section.read("drain", config.drain, between(0s, 10min));
}

void read_retry(runtime::Node section, RetryPolicy& policy) {
    section.read("max_retries", policy.max_retries, between(0, 100));
    section.read("first_wait", policy.first_wait, between(10ms, 1h));
    section.read("longest_wait", policy.longest_wait, between(10ms, 24h));
    section.read("jitter_percent", policy.jitter_percent, between(0, 50));
    section.check("longest_wait", policy.longest_wait >= policy.first_wait, "must not be shorter than first_wait");
}

void read_outbox(runtime::Node section, application::OutboxSettings& settings) {
    section.read("batch", settings.batch, between(1, 1000));
    section.read("lease", settings.lease, between(1s, 1h));
    read_retry(section.section("retry"), settings.retry);
}

}  // namespace crawler::services
