// trigger: a schedule fired; begins a run over the seller's catalogue.
#include "application/trigger_crawl.hpp"
#include "common/daemon.hpp"
#include "runtime/consumer.hpp"
#include "runtime/start.hpp"
#include "trigger/config.hpp"
#include "trigger/trigger_message.hpp"

namespace {

using namespace crawler;
using services::TriggerConfig;

// A message that cannot be read is an error, so that it comes back and ends among the dead letters, where somebody sees it.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): it outlives the loop
Async<Result<ports::Disposition>> handle(application::TriggerCrawl& trigger, ports::Delivery message) {
    auto seller = services::read_trigger_message(message.body);
    if (!seller) co_return seller.error();
    co_return co_await trigger.handle(std::move(*seller));
}

int run(const TriggerConfig& config) {
    services::Daemon daemon(config.common, "trigger", {ports::Loop::trigger_queue}, config.queue.visibility);
    auto& world = daemon.world;

    // The work.
    application::SlotShelf slots(*world.identities, *daemon.clock, config.slot_margin);
    application::TriggerCrawl trigger({*world.sellers, *world.executions, *world.leases, *world.identities,
                                       *world.marketplace, *daemon.ids, *daemon.clock, *daemon.telemetry},
                                      slots, config.trigger);

    // The loop.
    auto on_message = [&](ports::Delivery message) { return handle(trigger, std::move(message)); };
    const auto admit = services::admit_by_slots(slots, *daemon.clock);
    const auto loop = daemon.loop(ports::Loop::trigger_queue);
    return daemon.run(services::Stage::trigger, [&](std::stop_token stop) {
        return runtime::consume(*world.trigger_queue, on_message, admit, config.consumer, loop, std::move(stop));
    });
}

}  // namespace

int main(int argc, char** argv) {
    return runtime::start(argc, argv, {"trigger", "Begins a crawl of a seller's catalogue when its schedule fires."},
                          TriggerConfig::read, run);
}
