#include "trigger/config.hpp"

namespace crawler::services {

using namespace std::chrono_literals;
using runtime::between;

TriggerConfig TriggerConfig::read(runtime::Node root) {
    TriggerConfig config;
    read_common(root, config.common);
    read_queue(root.section("queue"), config.queue);
    read_address(root.section("marketplace"), config.marketplace);
    read_consumer(root.section("consumer"), config.consumer);
    root.section("slots").read("margin", config.slot_margin, between(0s, 1min));

    auto trigger = root.section("trigger");
    trigger.read("lease", config.trigger.lease, between(10s, 1h));
    trigger.read("soon", config.trigger.soon, between(10ms, 10min));
    return config;
}

}  // namespace crawler::services
