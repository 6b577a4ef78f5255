#include "trigger/config.hpp"

#include "common/timing.hpp"

namespace crawler::services {

using namespace std::chrono_literals;
using runtime::between;

namespace {

void read_scheduler(runtime::Node section, SchedulerConfig& config) {
    section.read("enabled", config.enabled);
    read_periodic(section, config.loop);
    section.read("batch", config.batch, between(1, 1000));
    section.read("missed", config.catch_up.missed);
    section.read("tolerance", config.catch_up.tolerance, between(1s, 24h));
    section.read("most", config.catch_up.most, between(1, 100));
}

}  // namespace

TriggerConfig TriggerConfig::read(runtime::Node root) {
    TriggerConfig config;
    read_common(root, config.common);
    read_queue(root.section("queue"), config.queue);
    read_aws(root.section("aws"), config.aws);
    auto scheduler = root.section("scheduler");
    read_scheduler(scheduler, config.scheduler);
    scheduler.check("enabled", !config.scheduler.enabled || config.queue.kind == QueueKind::embedded,
                    "must be false where queue.kind is sqs: EventBridge fires there");
    read_pool(root.section("pool"), config.pool);
    read_http_client(root.section("http_client"), config.http_client);
    read_marketplace(root.section("marketplace"), config.marketplace, config.http_client);
    read_consumer(root.section("consumer"), config.consumer);
    read_slots(root.section("slots"), config.slots);

    auto trigger = root.section("trigger");
    trigger.read("lease", config.trigger.lease, between(10s, 1h));
    trigger.read("soon", config.trigger.soon, between(10ms, 10min));
    trigger.read("retry_wait", config.trigger.retry_wait, between(10ms, 24h));
    trigger.read("run_deadline", config.trigger.run_deadline, between(1h, 720h));
    trigger.read("listing", config.trigger.listing);
    read_attempt(trigger.section("attempt"), config.trigger.attempt);

    const Timing lease{"trigger", "lease", config.trigger.lease};
    check_slot_times(root, config.pool, config.slots, config.http_client, config.consumer);
    check_attempt_times(root, lease, config.trigger.attempt, config.http_client);
    check_silence(root, config.common, {lease});
    return config;
}

}  // namespace crawler::services
