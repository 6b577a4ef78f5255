// The worker's configuration; worker.yaml shows every key.
#pragma once
#include "application/execute_task.hpp"
#include "common/config.hpp"

namespace crawler::services {

struct WorkerConfig {
    CommonConfig common;
    QueueConfig queue;
    std::string marketplace = "memory://marketplace";
    runtime::ConsumerConfig consumer;
    Duration slot_margin = std::chrono::seconds{10};
    application::ExecuteTask::Settings task;

    static WorkerConfig read(runtime::Node root);
};

}  // namespace crawler::services
