// The outbox-relay's configuration; outbox-relay.yaml shows every key.
#pragma once
#include "application/purge_expired.hpp"
#include "common/config.hpp"

namespace crawler::services {

struct OutboxRelayConfig {
    CommonConfig common;
    std::string queue = "memory://local";
    runtime::PeriodicConfig loop;
    application::OutboxSettings task_outbox;
    runtime::PeriodicConfig retention_loop{.interval = std::chrono::minutes{10}, .error_wait = std::chrono::minutes{1}};
    application::RetentionSettings retention;

    static OutboxRelayConfig read(runtime::Node root);
};

}  // namespace crawler::services
