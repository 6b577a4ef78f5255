// outbox-relay: publishes the tasks that the database says must be published, and deletes what is done with.
#include "application/purge_expired.hpp"
#include "application/relay_task_outbox.hpp"
#include "common/daemon.hpp"
#include "coro/together.hpp"
#include "outbox-relay/config.hpp"
#include "runtime/periodic.hpp"
#include "runtime/start.hpp"

namespace {

using namespace crawler;
using services::OutboxRelayConfig;

int run(const OutboxRelayConfig& config) {
    services::Daemon daemon(config.common, "outbox-relay", {ports::Loop::task_outbox, ports::Loop::retention});
    auto& world = daemon.world;

    // The work.
    application::RelayTaskOutbox relay({*world.task_outbox, *world.task_queue, *daemon.clock, *daemon.telemetry},
                                       config.task_outbox);

    application::PurgeExpired purge({*world.retention, *daemon.clock, *daemon.telemetry}, config.retention);

    // The loops.
    const auto outbox = daemon.loop(ports::Loop::task_outbox);
    const auto retention = daemon.loop(ports::Loop::retention);
    return daemon.run(services::Stage::relay, [&](const std::stop_token& stop) {
        return coro::together(
            runtime::repeat([&] { return relay.run_once(); }, config.loop, outbox, stop),
            runtime::repeat([&] { return purge.run_once(); }, config.retention_loop, retention, stop));
    });
}

}  // namespace

int main(int argc, char** argv) {
    return runtime::start(
        argc, argv,
        {"outbox-relay", "Publishes crawl tasks from the outbox to the task queue, and purges what is done with."},
        OutboxRelayConfig::read, run);
}
