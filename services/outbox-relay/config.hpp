// The outbox-relay's configuration; outbox-relay.yaml shows every key.
#pragma once
#include "common/config.hpp"

namespace crawler::services {

struct OutboxRelayConfig {
    CommonConfig common;
    std::string queue = "memory://local";
    runtime::PeriodicConfig loop;
    application::OutboxSettings task_outbox;

    static OutboxRelayConfig read(runtime::Node root);
};

}  // namespace crawler::services
