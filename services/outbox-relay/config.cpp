#include "outbox-relay/config.hpp"

namespace crawler::services {

OutboxRelayConfig OutboxRelayConfig::read(runtime::Node root) {
    OutboxRelayConfig config;
    read_common(root, config.common);
    read_address(root.section("queue"), config.queue);
    read_periodic(root.section("loop"), config.loop);

    read_outbox(root.section("task_outbox"), config.task_outbox);
    return config;
}

}  // namespace crawler::services
