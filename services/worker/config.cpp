#include "worker/config.hpp"

#include "common/timing.hpp"

namespace crawler::services {

using namespace std::chrono_literals;
using runtime::between;

WorkerConfig WorkerConfig::read(runtime::Node root) {
    WorkerConfig config;
    read_common(root, config.common);
    read_queue(root.section("queue"), config.queue);
    read_aws(root.section("aws"), config.aws);
    read_pool(root.section("pool"), config.pool);
    read_http_client(root.section("http_client"), config.http_client);
    read_marketplace(root.section("marketplace"), config.marketplace, config.http_client);
    read_consumer(root.section("consumer"), config.consumer);
    read_slots(root.section("slots"), config.slots);

    auto task = root.section("task");
    task.read("lease", config.task.lease, between(1s, 1h));
    task.read("soon", config.task.soon, between(10ms, 10min));
    read_retry(task.section("retry"), config.task.retry);
    read_retry(task.section("storing"), config.task.storing);
    read_attempt(task.section("attempt"), config.task.attempt);

    read_periodic(root.section("sessions"), config.sessions);

    const Timing lease{"task", "lease", config.task.lease};
    check_slot_times(root, config.pool, config.slots, config.http_client, config.consumer);
    check_attempt_times(root, lease, config.task.attempt, config.http_client);
    check_silence(root, config.common, {lease});
    return config;
}

}  // namespace crawler::services
