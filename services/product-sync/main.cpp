// product-sync: works raw answers into products, tells the product server what really changed, and proves how whole each run was.
#include "common/outside.hpp"
#include "coro/together.hpp"
#include "product-sync/config.hpp"
#include "runtime/periodic.hpp"
#include "runtime/start.hpp"

namespace {

using namespace crawler;
using services::ProductSyncConfig;

int run(const ProductSyncConfig& config) {
    services::Daemon daemon(config.common, "product-sync",
                            {ports::Loop::raw_intake, ports::Loop::product_outbox, ports::Loop::conclusions});
    auto& database = *daemon.database;
    const auto& clock = *daemon.clock;
    auto& telemetry = *daemon.telemetry;

    // The outside world.
    const auto http = services::open_http_client(config.http_client, daemon);
    const auto marketplace = services::open_marketplace(config.marketplace, *http);
    const auto server = runtime::starting(
        "product_server", [&] { return adapters::make_rest_product_server(config.product_server, *http); });
    const auto raws = adapters::make_sql_raw_store(database);
    const auto products = adapters::make_sql_product_store(database);
    const auto outbox = adapters::make_sql_product_outbox(database);
    const auto runs = adapters::make_sql_run_conclusions(database);

    // The work.
    application::AbsorbRaw absorb({*raws, *products, *marketplace, *daemon.ids, clock, telemetry}, config.raw_intake);
    application::PushProducts push({*outbox, *server, clock, telemetry}, config.product_outbox);
    application::ConcludeRuns conclude({*runs, *products, *daemon.ids, clock, telemetry}, config.conclusions);

    // The loops: claims are disjoint, so several of a kind share the work.
    const auto intake = daemon.loop(ports::Loop::raw_intake);
    const auto pushing = daemon.loop(ports::Loop::product_outbox);
    const auto concluding = daemon.loop(ports::Loop::conclusions);
    return daemon.run([&](const std::stop_token& stop) {
        std::vector<Async<>> loops;
        for (int i = 0; i < config.raw_loops; ++i)
            loops.push_back(runtime::repeat([&] { return absorb.run_once(); }, config.loop, intake, stop));
        for (int i = 0; i < config.push_loops; ++i)
            loops.push_back(runtime::repeat([&] { return push.run_once(); }, config.loop, pushing, stop));
        loops.push_back(runtime::repeat([&] { return conclude.run_once(); }, config.loop, concluding, stop));
        return coro::together(std::move(loops));
    });
}

}  // namespace

int main(int argc, char** argv) {
    return runtime::start(
        argc, argv, {"product-sync", "Works raw answers into products and sends what changed to the product server."},
        ProductSyncConfig::read, run);
}
