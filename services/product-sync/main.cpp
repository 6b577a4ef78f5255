// product-sync: works raw answers into products and tells the product server what really changed.
#include "application/absorb_raw.hpp"
#include "application/push_products.hpp"
#include "common/daemon.hpp"
#include "coro/together.hpp"
#include "product-sync/config.hpp"
#include "runtime/periodic.hpp"
#include "runtime/start.hpp"

namespace {

using namespace crawler;
using services::ProductSyncConfig;

int run(const ProductSyncConfig& config) {
    services::Daemon daemon(config.common, "product-sync", {ports::Loop::raw_intake, ports::Loop::product_outbox});
    auto& world = daemon.world;

    // The work.
    application::AbsorbRaw absorb(
        {*world.raws, *world.products, *world.marketplace, *daemon.ids, *daemon.clock, *daemon.telemetry},
        config.raw_intake);
    application::PushProducts push({*world.product_outbox, *world.product_server, *daemon.clock, *daemon.telemetry},
                                   config.product_outbox);

    // The loops.
    const auto intake = daemon.loop(ports::Loop::raw_intake);
    const auto outbox = daemon.loop(ports::Loop::product_outbox);
    return daemon.run(services::Stage::absorb, [&](const std::stop_token& stop) {
        return coro::together(runtime::repeat([&] { return absorb.run_once(); }, config.loop, intake, stop),
                              runtime::repeat([&] { return push.run_once(); }, config.loop, outbox, stop));
    });
}

}  // namespace

int main(int argc, char** argv) {
    return runtime::start(
        argc, argv, {"product-sync", "Works raw answers into products and sends what changed to the product server."},
        ProductSyncConfig::read, run);
}
