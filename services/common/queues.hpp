// Queues and schedule rules: in the database or at AWS, as the configuration chooses, each for itself.
#pragma once
#include "adapters/sql/sql.hpp"
#include "common/aws.hpp"
#include "ports/telemetry.hpp"

namespace crawler::services {

struct Daemon;

enum class QueueKind { embedded, sqs };
constexpr auto names(QueueKind) {
    return std::to_array<EnumName<QueueKind>>({{QueueKind::embedded, "embedded"}, {QueueKind::sqs, "sqs"}});
}

struct QueueConfig {
    QueueKind kind = QueueKind::embedded;
    std::string name = std::string(ports::task_queue_name);  // on SQS with .fifo where it keeps an order
    Duration visibility = std::chrono::seconds{30};
    int max_receive_count = 5;                                // embedded
    Duration poll_interval = std::chrono::milliseconds{250};  // embedded
    int batches_at_once = 4;                                  // sqs
};
void read_queue(runtime::Node section, QueueConfig& config);
// What goes through it is told as that queue's.
std::unique_ptr<ports::MessageQueue> open_queue(const QueueConfig& config, ports::LineQueue which, const AwsDoor& aws,
                                                Daemon& daemon);

enum class RulesKind { embedded, eventbridge };
constexpr auto names(RulesKind) {
    return std::to_array<EnumName<RulesKind>>(
        {{RulesKind::embedded, "embedded"}, {RulesKind::eventbridge, "eventbridge"}});
}

struct RulesConfig {
    RulesKind kind = RulesKind::embedded;
    adapters::EventBridgeConfig eventbridge;
};
void read_rules(runtime::Node section, RulesConfig& config);
std::unique_ptr<ports::ScheduleRules> open_rules(const RulesConfig& config, const AwsDoor& aws, Daemon& daemon);

}  // namespace crawler::services
