// The trigger's configuration; trigger.yaml shows every key.
#pragma once
#include "application/trigger_crawl.hpp"
#include "common/config.hpp"

namespace crawler::services {

struct TriggerConfig {
    CommonConfig common;
    QueueConfig queue;
    std::string marketplace = "memory://marketplace";
    runtime::ConsumerConfig consumer;
    Duration slot_margin = std::chrono::seconds{10};
    application::TriggerCrawl::Settings trigger;

    static TriggerConfig read(runtime::Node root);
};

}  // namespace crawler::services
