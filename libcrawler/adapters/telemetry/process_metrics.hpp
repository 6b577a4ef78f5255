// The conventional metrics of a Linux process, under the names every dashboard knows; metrics.cpp asks at each scrape.
#pragma once
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "adapters/telemetry/telemetry.hpp"

namespace crawler::adapters {

struct ProcessMetric {
    MetricType type{};
    std::string_view name;
    std::string_view help;
    std::optional<double> value;  // empty: `proc` does not tell
};

std::vector<ProcessMetric> read_process_metrics(const std::filesystem::path& proc = "/proc");

}  // namespace crawler::adapters
