// Which queues a command is about: those in a database, or SQS's.
#pragma once
#include <boost/asio/io_context.hpp>
#include <optional>

#include "adapters/memory/memory.hpp"
#include "adapters/sql/sql.hpp"
#include "adapters/system/system.hpp"
#include "common/aws.hpp"
#include "database_option.hpp"

namespace crawler::ctl {

struct QueuePlace {
    std::string database;  // URL; empty: at AWS
    std::optional<services::AwsSettings> aws = std::nullopt;

    // What the queues of the line are called there.
    std::vector<std::string> names() const;
};

// --database is a database. Otherwise the configuration file and the environment say it like they do to a daemon: queue.kind, aws, and
// database.url. Throws std::runtime_error, with one line for the operator, where that cannot be read.
QueuePlace queue_place(const DatabaseOption& option, const runtime::Environment& environment);

// The queues there, for as long as a command runs.
class QueueDoor {
  public:
    explicit QueueDoor(const QueuePlace& place);

    std::unique_ptr<ports::QueueDesk> desk(const std::string& queue);
    std::unique_ptr<ports::MessageQueue> queue(const std::string& queue);

    boost::asio::io_context io{1};

  private:
    std::unique_ptr<ports::Clock> clock_ = adapters::make_system_clock();
    std::unique_ptr<ports::IdGenerator> ids_ = adapters::make_uuid_generator(*clock_);
    std::unique_ptr<adapters::MemoryTelemetry> telemetry_ = adapters::make_memory_telemetry();  // nobody listens
    adapters::Database database_;
    services::AwsDoor aws_;
};

}  // namespace crawler::ctl
