// What the queues of the line are called where the configuration does not say otherwise. On SQS a queue of messages in order ends in
// .fifo on top of that.
#pragma once
#include <string_view>

namespace crawler::ports {

inline constexpr std::string_view task_queue_name = "mustit-crawler-tasks";
inline constexpr std::string_view trigger_queue_name = "mustit-crawler-triggers";

}  // namespace crawler::ports
