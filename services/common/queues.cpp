#include "common/queues.hpp"

#include <algorithm>

#include "common/daemon.hpp"
#include "common/observed_queue.hpp"

namespace crawler::services {

using namespace std::chrono_literals;
using runtime::between;

namespace {

bool is_sqs_name(std::string name) {
    if (name.size() > 80) return false;
    if (name.ends_with(".fifo")) name.resize(name.size() - 5);
    const auto is_allowed = [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    };
    return !name.empty() && std::ranges::all_of(name, is_allowed);
}

// arn:aws:sqs:ap-northeast-2:123456789012:mustit-crawler-triggers.fifo
bool is_queue_arn(const std::string& arn) {
    return arn.starts_with("arn:aws") && arn.find(":sqs:") != std::string::npos && std::ranges::count(arn, ':') == 5 &&
           is_sqs_name(arn.substr(arn.rfind(':') + 1));
}

}  // namespace

void read_queue(runtime::Node section, QueueConfig& config) {
    section.read("kind", config.kind);
    section.read("name", config.name, runtime::non_blank());
    section.read("visibility", config.visibility, between(3s, 12h));
    section.read("max_receives", config.max_receive_count, between(1, 1000));
    section.read("poll_interval", config.poll_interval, between(10ms, 20s));
    section.read("batches_at_once", config.batches_at_once, between(1, 64));
    if (config.kind != QueueKind::sqs) return;
    section.check("name", is_sqs_name(config.name),
                  "must be a name that SQS takes: up to 80 letters, digits, - and _, the .fifo at its end included");
    section.check("visibility", config.visibility % 1s == 0s, "must be whole seconds on SQS");
}

namespace {

std::unique_ptr<ports::MessageQueue> open(const QueueConfig& config, const AwsDoor& aws, Daemon& daemon) {
    if (config.kind == QueueKind::sqs)
        return adapters::make_sqs_queue(
            aws.account,
            {.queue = config.name, .visibility = config.visibility, .batches_at_once = config.batches_at_once});
    return adapters::make_sql_queue(*daemon.database,
                                    {.name = config.name,
                                     .visibility = config.visibility,
                                     .max_receive_count = config.max_receive_count,
                                     .poll_interval = config.poll_interval},
                                    *daemon.clock, daemon.io.get_executor());
}

}  // namespace

std::unique_ptr<ports::MessageQueue> open_queue(const QueueConfig& config, ports::LineQueue which, const AwsDoor& aws,
                                                Daemon& daemon) {
    return observe(open(config, aws, daemon), which, *daemon.telemetry, *daemon.clock);
}

void read_rules(runtime::Node section, RulesConfig& config) {
    section.read("kind", config.kind);
    section.read("target_arn", config.eventbridge.target_arn);
    section.check("target_arn", config.kind != RulesKind::eventbridge || is_queue_arn(config.eventbridge.target_arn),
                  "must be the ARN of the trigger queue, arn:aws:sqs:REGION:ACCOUNT:NAME, where kind is eventbridge");
}

std::unique_ptr<ports::ScheduleRules> open_rules(const RulesConfig& config, const AwsDoor& aws, Daemon& daemon) {
    if (config.kind == RulesKind::eventbridge) return adapters::make_eventbridge_rules(aws.account, config.eventbridge);
    return adapters::make_sql_schedule_rules(*daemon.database, *daemon.clock);
}

}  // namespace crawler::services
