// The embedded queue and the embedded scheduler: SQS and EventBridge, in the tables of the one database. Part of sql.hpp.
#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <string>

#include "domain/firing.hpp"
#include "ports/clock.hpp"
#include "ports/queue_desk.hpp"
#include "ports/queue_names.hpp"
#include "ports/schedule_rules.hpp"
#include "ports/scheduler.hpp"

namespace crawler::adapters {

class SqlDatabase;

struct SqlQueueConfig {
    std::string name = std::string(ports::task_queue_name);  // many queues may share one database
    Duration visibility = std::chrono::seconds{30};
    int max_receive_count = 5;                                // 1 to 1000, as on SQS
    Duration poll_interval = std::chrono::milliseconds{250};  // how soon a long poll sees what another process sent
};
// Deduplication holds for five minutes, as on SQS. The clock must move with the executor's time: the long poll sleeps by the one and
// looks at the other.
std::unique_ptr<ports::MessageQueue> make_sql_queue(SqlDatabase& database, SqlQueueConfig config,
                                                    const ports::Clock& clock,
                                                    const boost::asio::any_io_executor& executor);
std::unique_ptr<ports::QueueDesk> make_sql_queue_desk(SqlDatabase& database, std::string queue,
                                                      const ports::Clock& clock);

std::unique_ptr<ports::ScheduleRules> make_sql_schedule_rules(SqlDatabase& database, const ports::Clock& clock);

struct SqlSchedulerConfig {
    std::string queue = std::string(ports::trigger_queue_name);  // where firings go
    CatchUpPolicy catch_up = {};
};
std::unique_ptr<ports::Scheduler> make_sql_scheduler(SqlDatabase& database, SqlSchedulerConfig config);

}  // namespace crawler::adapters
