// The trigger's configuration; trigger.yaml shows every key.
#pragma once
#include "application/trigger_crawl.hpp"
#include "common/outside.hpp"

namespace crawler::services {

// What fires the schedule rules.
struct SchedulerConfig {
    bool enabled = true;  // false: EventBridge does, or nobody
    runtime::PeriodicConfig loop;
    int batch = 100;  // rules fired in one transaction
    CatchUpPolicy catch_up;
};

struct TriggerConfig {
    CommonConfig common;
    QueueConfig queue{.name = std::string(ports::trigger_queue_name)};
    AwsSettings aws;
    SchedulerConfig scheduler;
    PoolConfig pool;
    // No connection is kept: a request that finds one dead is sent again, and the marketplace would count both.
    adapters::HttpClientConfig http_client{.allowed_hosts = {"m.web.mustit.co.kr"}};
    adapters::MustitConfig marketplace;
    runtime::ConsumerConfig consumer;
    SlotsConfig slots;
    application::TriggerCrawl::Settings trigger;

    static TriggerConfig read(runtime::Node root);
};

}  // namespace crawler::services
