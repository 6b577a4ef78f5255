#include "common/outside.hpp"

#include <algorithm>

#include "common/hosts.hpp"
#include "runtime/start.hpp"

namespace crawler::services {

using namespace std::chrono_literals;
using namespace runtime::literals;
using runtime::between;

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
