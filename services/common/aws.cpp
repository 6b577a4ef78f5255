#include "common/aws.hpp"

#include "runtime/environment.hpp"
#include "runtime/start.hpp"

namespace crawler::services {

using namespace std::chrono_literals;
using runtime::between;

namespace {

constexpr Duration longest_poll = 20s;  // that SQS grants

}  // namespace

void read_aws(runtime::Node section, AwsSettings& settings) {
    auto& access = settings.access;
    section.read("region", access.region, runtime::non_blank());
    section.read("endpoint", access.endpoint, runtime::or_empty(runtime::url({"http", "https"})));
    section.read("profile", access.profile);
    section.read("ca_file", settings.ca_file);
    section.read("attempt_timeout", access.attempt_timeout, between(100ms, 5min));
    section.read("deadline", access.deadline, between(100ms, 10min));
    section.check("deadline", access.deadline >= access.attempt_timeout, "must not be shorter than attempt_timeout");
    auto retry = section.section("retry");
    retry.read("max_retries", access.retry.max_retries, between(0, 100));
    retry.read("first_wait", access.retry.first_wait, between(1ms, 1min));
    retry.read("longest_wait", access.retry.longest_wait, between(1ms, 5min));
    retry.read("jitter_percent", access.retry.jitter_percent, between(0, 50));
    retry.check("longest_wait", access.retry.longest_wait >= access.retry.first_wait,
                "must not be shorter than first_wait");
    section.read("source_timeout", access.source_timeout, between(100ms, 1min));
    section.read("refresh_early", access.refresh_early, between(0s, 30min));
}

AwsDoor open_aws(const AwsSettings& settings, const ports::Clock& clock, ports::IdGenerator& ids,
                 boost::asio::io_context& io) {
    const auto patience = settings.access.attempt_timeout + longest_poll + 1s;
    adapters::HttpClientConfig client{.read_timeout = patience,
                                      .total_timeout = patience,
                                      .idle_lifetime = 15s,
                                      .allowed_hosts = {},
                                      .allow_private_addresses = true,
                                      .ca_file = settings.ca_file};
    AwsDoor door;
    door.http = runtime::starting("aws", [&] { return adapters::make_http_client(std::move(client), io); });
    door.account =
        adapters::open_aws(settings.access, runtime::process_environment(), *door.http, clock, ids, io.get_executor());
    return door;
}

}  // namespace crawler::services
