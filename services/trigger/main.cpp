// trigger: fires schedules where no EventBridge does, and begins a run over a seller's catalogue for each that fired.
#include "adapters/system/system.hpp"
#include "application/trigger_crawl.hpp"
#include "common/outside.hpp"
#include "coro/together.hpp"
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
    services::Daemon daemon(config.common, "trigger", {ports::Loop::trigger_queue, ports::Loop::scheduler});

    // The outside world.
    const auto aws = services::open_aws(config.aws, *daemon.clock, *daemon.ids, daemon.io);
    const auto queue = services::open_queue(config.queue, ports::LineQueue::triggers, aws, daemon);
    const auto identities = services::open_pool(config.pool, daemon);
    const auto http = services::open_http_client(config.http_client, daemon);
    const auto marketplace = services::open_marketplace(config.marketplace, *http);
    const auto sellers = adapters::make_sql_seller_store(*daemon.database);
    const auto executions = adapters::make_sql_execution_store(*daemon.database);
    const auto pause = adapters::make_pause();
    const auto scheduler = adapters::make_sql_scheduler(
        *daemon.database, {.queue = config.queue.name, .catch_up = config.scheduler.catch_up});

    // The work.
    application::SlotShelf slots(*identities, *daemon.clock, config.slots.margin);
    application::TriggerCrawl trigger({*sellers, *executions, identities.leases(), *identities, *marketplace,
                                       *daemon.ids, *daemon.clock, *pause, *daemon.telemetry},
                                      slots, config.trigger);

    // The loops.
    const auto on_message = [&](ports::Delivery message) { return handle(trigger, std::move(message)); };
    const auto fire = [&] { return scheduler->fire_due(daemon.clock->now(), config.scheduler.batch); };
    const auto admit = services::admit_by_slots(slots, *queue, *daemon.clock, config.slots);
    const auto triggers = daemon.loop(ports::Loop::trigger_queue);
    const auto firing = config.scheduler.enabled ? std::optional(daemon.loop(ports::Loop::scheduler)) : std::nullopt;
    return daemon.run([&](const std::stop_token& stop) {
        auto consuming = runtime::consume(*queue, on_message, admit, config.consumer, triggers, stop);
        if (!firing) return consuming;
        return coro::together(std::move(consuming), runtime::repeat(fire, config.scheduler.loop, *firing, stop));
    });
}

}  // namespace

int main(int argc, char** argv) {
    return runtime::start(argc, argv, {"trigger", "Begins a crawl of a seller's catalogue when its schedule fires."},
                          TriggerConfig::read, run);
}
