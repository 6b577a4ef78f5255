// Things of the domain as JSON, as every command prints them.
#pragma once
#include <boost/json.hpp>

#include "domain/execution.hpp"

namespace crawler::ctl {

inline boost::json::value json_time(std::optional<TimePoint> time) {
    return time ? boost::json::value(to_rfc3339(*time)) : boost::json::value(nullptr);
}

// With a summary of its proof, or null.
boost::json::object json_of_run(const CrawlingScheduleExecution& run);

}  // namespace crawler::ctl
