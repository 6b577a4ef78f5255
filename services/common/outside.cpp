#include "common/outside.hpp"

#include <algorithm>

#include "common/hosts.hpp"
#include "runtime/start.hpp"

namespace crawler::services {

using namespace std::chrono_literals;
using namespace runtime::literals;
using runtime::between;

void read_queue(runtime::Node section, QueueConfig& config) {
    auto& embedded = config.embedded;
    section.read("url", config.url, runtime::url({{"embedded", false}}));
    section.read("name", embedded.name, runtime::non_blank());
    section.read("visibility", embedded.visibility, between(3s, 12h));
    section.read("max_receives", embedded.max_receive_count, between(1, 1000));
    section.read("poll_interval", embedded.poll_interval, between(10ms, 20s));
}

std::unique_ptr<ports::MessageQueue> open_queue(const QueueConfig& config, Daemon& daemon) {
    return adapters::make_sql_queue(*daemon.database, config.embedded, *daemon.clock, daemon.io.get_executor());
}

void read_http_client(runtime::Node section, adapters::HttpClientConfig& config) {
    section.read("connect_timeout", config.connect_timeout, between(10ms, 1min));
    section.read("read_timeout", config.read_timeout, between(10ms, 5min));
    section.read("total_timeout", config.total_timeout, between(10ms, 10min));
    section.check("total_timeout", config.total_timeout >= config.connect_timeout,
                  "must not be shorter than connect_timeout");
    section.read("max_body", config.max_body, between(1_KiB, 256_MiB));
    section.read("max_connections", config.max_connections, between(1, 10'000));
    section.read("max_idle_per_origin", config.max_idle_per_origin, between(0, 1000));
    section.read("idle_lifetime", config.idle_lifetime, between(1s, 1h));
    section.read("allowed_hosts", config.allowed_hosts, runtime::non_blank());
    section.read("allow_private_addresses", config.allow_private_addresses);
    section.read("ca_file", config.ca_file);
}

void read_marketplace(runtime::Node section, adapters::MustitConfig& config, const adapters::HttpClientConfig& client) {
    section.read("url", config.base_url, runtime::url({"http", "https"}));
    check_allowed(section, "url", config.base_url, client);
    section.check("url", is_bare(config.base_url), "must be a scheme and a host, and nothing behind it");
    section.read("accept_language", config.accept_language, runtime::non_blank());
    section.read("max_body", config.max_body, between(1_KiB, 256_MiB));
    section.read("longest_retry_after", config.longest_retry_after, between(1s, 24h));
}

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

    const auto sound = rules.check();
    section.check("limit", static_cast<bool>(sound), sound ? "" : sound.error().detail);
}

namespace {

adapters::TokenKeys keys_of(const Secret& text) {
    auto keys = adapters::parse_token_keys(text.reveal());
    if (!keys) throw std::invalid_argument(keys.error().detail + "; crawlerctl agents new-key makes one");
    return *std::move(keys);
}

}  // namespace

std::unique_ptr<ports::IdentityPool> open_pool(const PoolConfig& config, Daemon& daemon) {
    return runtime::starting("pool.token_keys", [&] {
        return adapters::make_sql_identity_pool(*daemon.database, config.rules, keys_of(config.token_keys),
                                                *daemon.clock, *daemon.ids);
    });
}

std::unique_ptr<ports::HttpClient> open_http_client(const adapters::HttpClientConfig& config, Daemon& daemon) {
    return runtime::starting("http_client", [&] { return adapters::make_http_client(config, daemon.io); });
}

std::unique_ptr<ports::Marketplace> open_marketplace(const adapters::MustitConfig& config, ports::HttpClient& http) {
    return runtime::starting("marketplace", [&] { return adapters::make_mustit_marketplace(config, http); });
}

void read_attempt(runtime::Node section, application::AttemptSettings& settings) {
    read_retry(section.section("tries"), settings.tries);
    section.read("longest_request", settings.longest_request, between(1s, 10min));
}

void read_slots(runtime::Node section, SlotsConfig& config) {
    section.read("margin", config.margin, between(0s, 15min));
    section.read("idle", config.idle, between(10ms, 1min));
    section.read("look_again", config.look_again, between(10ms, 10min));
}

namespace {

// NOLINTBEGIN(cppcoreguidelines-avoid-reference-coroutine-parameters): all three outlive the loop
Async<Result<runtime::Admission>> admit(application::SlotShelf& slots, ports::MessageQueue& queue,
                                        const ports::Clock& clock, SlotsConfig config, int wanted) {
    // NOLINTEND(cppcoreguidelines-avoid-reference-coroutine-parameters)
    constexpr Duration shortest = 10ms;  // the time that the pool named may be over by now; it is not stormed for that
    const auto depth = co_await queue.depth();
    if (!depth) co_return depth.error();
    if (depth->waiting == 0) co_return runtime::Admission{.ask_again = config.idle};
    const auto useful = static_cast<int>(std::min<std::int64_t>(wanted, depth->waiting));
    const auto stock = co_await slots.fill(useful);
    if (!stock) co_return stock.error();
    if (stock->slots > 0) co_return runtime::Admission{.allowed = stock->slots};
    const auto wait = std::clamp(*stock->next_at - clock.now(), shortest, config.look_again);
    co_return runtime::Admission{.ask_again = wait};
}

}  // namespace

runtime::Admit admit_by_slots(application::SlotShelf& slots, ports::MessageQueue& queue, const ports::Clock& clock,
                              SlotsConfig config) {
    return [&slots, &queue, &clock, config](int wanted) { return admit(slots, queue, clock, config, wanted); };
}

}  // namespace crawler::services
