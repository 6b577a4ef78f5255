#include "queue_place.hpp"

#include <stdexcept>

#include "common/queues.hpp"

namespace crawler::ctl {

std::vector<std::string> QueuePlace::names() const {
    const std::string ending = aws ? ".fifo" : "";
    return {std::string(ports::task_queue_name) + ending, std::string(ports::trigger_queue_name) + ending};
}

QueuePlace queue_place(const DatabaseOption& option, const runtime::Environment& environment) {
    auto choice = option.choice;
    if (!option.file.empty()) choice.file = option.file;
    if (choice.url.empty()) {
        runtime::Configuration configuration(choice.file, environment);
        services::QueueConfig queue;
        services::AwsSettings aws;
        services::read_queue(configuration.root().section("queue"), queue);
        services::read_aws(configuration.root().section("aws"), aws);
        for (const auto& problem : configuration.problems_of_what_was_read()) throw std::runtime_error(problem);
        if (queue.kind == services::QueueKind::sqs) return {.database = {}, .aws = std::move(aws)};
    }
    return {.database = database_url(choice, environment)};
}

QueueDoor::QueueDoor(const QueuePlace& place) {
    if (place.aws) {
        aws_ = services::open_aws(*place.aws, *clock_, *ids_, io);
    } else {
        database_ =
            adapters::open_database({.url = place.database, .min_connections = 1, .max_connections = 1}, *telemetry_);
    }
}

std::unique_ptr<ports::QueueDesk> QueueDoor::desk(const std::string& queue) {
    if (aws_.account) return adapters::make_sqs_desk(aws_.account, {.queue = queue});
    return adapters::make_sql_queue_desk(*database_, queue, *clock_);
}

std::unique_ptr<ports::MessageQueue> QueueDoor::queue(const std::string& queue) {
    if (aws_.account) return adapters::make_sqs_queue(aws_.account, {.queue = queue});
    return adapters::make_sql_queue(*database_, {.name = queue}, *clock_, io.get_executor());
}

}  // namespace crawler::ctl
