#include "product-sync/config.hpp"

#include "common/hosts.hpp"
#include "common/timing.hpp"

namespace crawler::services {

using namespace std::chrono_literals;
using namespace runtime::literals;
using runtime::between;

namespace {

void read_route(runtime::Node section, adapters::ProductRoute& route) {
    section.read("method", route.method, runtime::non_blank());
    section.read("path", route.path, runtime::non_blank());
    const bool is_path = route.path.starts_with('/') && route.path.find("{itemNo}") != std::string::npos;
    section.check("path", is_path, "must begin with / and say {itemNo}");
}

void read_product_server(runtime::Node section, adapters::ProductServerConfig& config,
                         const adapters::HttpClientConfig& client) {
    section.read("url", config.base_url, runtime::url({"http", "https"}));
    check_allowed(section, "url", config.base_url, client);
    read_route(section.section("created"), config.created);
    read_route(section.section("updated"), config.updated);
    read_route(section.section("deleted"), config.deleted);
    section.read("auth_header", config.auth_header, runtime::non_blank());
    section.read("auth_value", config.auth_value);
    section.read("current_version_key", config.current_version_key, runtime::non_blank());
    section.read("kept_body", config.kept_body, between(0_B, 64_KiB));
    section.read("longest_retry_after", config.longest_retry_after, between(1s, 24h));
}

void read_conclusions(runtime::Node section, application::ConcludeRuns::Settings& settings) {
    section.read("batch", settings.batch, between(1, 1000));
    section.read("lease", settings.lease, between(1s, 1h));
    section.read("again", settings.again, between(10ms, 1h));
    section.read("late_tasks", settings.late_tasks, between(1min, 720h));
    section.read("page", settings.page, between(1, 100'000));
    section.read("delisted", settings.delisted, between(1, 10'000));
}

// No push begins in the reserve at the end of a lease, so one that began is over, and settled, before somebody else may repeat it.
void check_times(runtime::Node root, const ProductSyncConfig& config) {
    const Timing push_lease{"product_outbox", "lease", config.product_outbox.outbox.lease};
    const Timing reserve{"product_outbox", "reserve", config.product_outbox.reserve};
    must_exceed(root, reserve, {"http_client", "total_timeout", config.http_client.total_timeout});
    must_exceed(root, push_lease, reserve);
    check_silence(root, config.common,
                  {push_lease,
                   {"raw_intake", "lease", config.raw_intake.lease},
                   {"conclusions", "lease", config.conclusions.lease}});
}

}  // namespace

ProductSyncConfig ProductSyncConfig::read(runtime::Node root) {
    ProductSyncConfig config;
    read_common(root, config.common);
    read_http_client(root.section("http_client"), config.http_client);
    read_product_server(root.section("product_server"), config.product_server, config.http_client);
    read_periodic(root.section("loop"), config.loop);

    auto intake = root.section("raw_intake");
    intake.read("loops", config.raw_loops, between(1, 64));
    intake.read("batch", config.raw_intake.batch, between(1, 1000));
    intake.read("group", config.raw_intake.group, between(1, 1000));
    intake.read("group_facets", config.raw_intake.group_facets, between(1, 100'000));
    intake.read("lease", config.raw_intake.lease, between(1s, 1h));
    read_retry(intake.section("retry"), config.raw_intake.retry);
    intake.read("most_lost", config.raw_intake.most_lost, between(0, 100));
    intake.read("max_body", config.marketplace.max_body, between(1_KiB, 256_MiB));

    auto outbox = root.section("product_outbox");
    outbox.read("loops", config.push_loops, between(1, 64));
    read_outbox(outbox, config.product_outbox.outbox);
    outbox.read("settle_batch", config.product_outbox.settle_batch, between(1, 1000));
    outbox.read("most_unheard", config.product_outbox.most_unheard, between(1, 1000));
    outbox.read("reserve", config.product_outbox.reserve, between(0s, 1h));

    read_conclusions(root.section("conclusions"), config.conclusions);
    check_times(root, config);
    return config;
}

}  // namespace crawler::services
