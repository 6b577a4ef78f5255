// What `crawlerctl status` shows: all of it at one moment, as text or as JSON. Whoever knows more of the fleet fills in more.
#pragma once
#include <string>

#include "ports/identity_pool.hpp"
#include "ports/message_queue.hpp"
#include "ports/overview.hpp"

namespace crawler::ctl {

struct QueuePicture {
    std::string name;
    ports::QueueDepth depth;
};

struct FleetPicture {
    TimePoint at;
    std::vector<CrawlingScheduleExecution> open_runs;    // newest first
    std::vector<CrawlingScheduleExecution> recent_runs;  // over, newest first
    std::vector<ports::OutboxView> outboxes;
    ports::RawView raws;
    std::optional<ports::PoolView> pool = std::nullopt;  // none: nobody asked for it
    std::vector<QueuePicture> queues = {};               // none: nobody asked for them
};

std::string picture_text(const FleetPicture& picture);
// One line.
std::string picture_json(const FleetPicture& picture);

}  // namespace crawler::ctl
