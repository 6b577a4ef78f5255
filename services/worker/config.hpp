// The worker's configuration; worker.yaml shows every key.
#pragma once
#include "application/execute_task.hpp"
#include "common/outside.hpp"

namespace crawler::services {

struct WorkerConfig {
    CommonConfig common;
    QueueConfig queue;
    AwsSettings aws;
    PoolConfig pool;
    // No connection is kept: a request that finds one dead is sent again, and the marketplace would count both.
    adapters::HttpClientConfig http_client{.allowed_hosts = {"m.web.mustit.co.kr"}};
    adapters::MustitConfig marketplace;
    runtime::ConsumerConfig consumer;
    SlotsConfig slots;
    application::ExecuteTask::Settings task;
    runtime::PeriodicConfig sessions;

    static WorkerConfig read(runtime::Node root);
};

}  // namespace crawler::services
