// outbox-relay: publishes the tasks that the database says must be published.
#include "application/relay_task_outbox.hpp"
#include "common/daemon.hpp"
#include "outbox-relay/config.hpp"
#include "runtime/periodic.hpp"
#include "runtime/start.hpp"

namespace {

using namespace crawler;
using services::OutboxRelayConfig;

int run(const OutboxRelayConfig& config) {
    services::Daemon daemon(config.common, "outbox-relay", {ports::Loop::task_outbox});
    auto& world = daemon.world;

    // The work.
    application::RelayTaskOutbox relay({*world.task_outbox, *world.task_queue, *daemon.clock, *daemon.telemetry},
                                       config.task_outbox);

    // The loop.
    const auto loop = daemon.loop(ports::Loop::task_outbox);
    return daemon.run(services::Stage::relay, [&](std::stop_token stop) {
        return runtime::repeat([&] { return relay.run_once(); }, config.loop, loop, std::move(stop));
    });
}

}  // namespace

int main(int argc, char** argv) {
    return runtime::start(argc, argv, {"outbox-relay", "Publishes crawl tasks from the outbox to the task queue."},
                          OutboxRelayConfig::read, run);
}
