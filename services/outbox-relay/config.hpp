// The outbox-relay's configuration; outbox-relay.yaml shows every key.
#pragma once
#include "application/audit_rate.hpp"
#include "application/check_invariants.hpp"
#include "application/purge_expired.hpp"
#include "application/relay_scheduler_outbox.hpp"
#include "application/relay_task_outbox.hpp"
#include "common/outside.hpp"

namespace crawler::services {

struct OutboxRelayConfig {
    CommonConfig common;
    QueueConfig queue;
    RulesConfig rules;
    AwsSettings aws;
    PoolConfig pool;
    runtime::PeriodicConfig loop;
    application::RelayTaskOutbox::Settings task_outbox;
    application::OutboxSettings scheduler_outbox;
    runtime::PeriodicConfig retention_loop{.interval = std::chrono::minutes{10}, .error_wait = std::chrono::minutes{1}};
    application::RetentionSettings retention;
    runtime::PeriodicConfig invariants_loop{.interval = std::chrono::minutes{15},
                                            .error_wait = std::chrono::minutes{1}};
    application::CheckInvariants::Settings invariants;
    Duration audit_timeout = std::chrono::minutes{10};  // of one question of the two audits to the database
    runtime::PeriodicConfig rate_audit_loop{.interval = std::chrono::minutes{10},
                                            .error_wait = std::chrono::minutes{1}};

    static OutboxRelayConfig read(runtime::Node root);
};

}  // namespace crawler::services
