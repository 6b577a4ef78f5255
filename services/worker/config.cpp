#include "worker/config.hpp"

namespace crawler::services {

using namespace std::chrono_literals;
using runtime::between;

WorkerConfig WorkerConfig::read(runtime::Node root) {
    WorkerConfig config;
    read_common(root, config.common);
    read_queue(root.section("queue"), config.queue);
    read_address(root.section("marketplace"), config.marketplace);
    read_consumer(root.section("consumer"), config.consumer);
    root.section("slots").read("margin", config.slot_margin, between(0s, 1min));

    auto task = root.section("task");
    task.read("lease", config.task.lease, between(1s, 1h));
    task.read("soon", config.task.soon, between(10ms, 10min));
    read_retry(task.section("retry"), config.task.retry);
    return config;
}

}  // namespace crawler::services
