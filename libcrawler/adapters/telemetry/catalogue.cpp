#include "adapters/telemetry/event_spec.hpp"
#include "adapters/telemetry/metrics.hpp"
#include "adapters/telemetry/process_metrics.hpp"

namespace crawler::adapters {
namespace {

EventInfo info_of(const EventSpec& spec) {
    EventInfo info{.event = std::string(spec.event), .level = spec.severity.usual};
    for (const auto& raised : spec.severity.raised) info.raised.push_back({std::string(raised.when), raised.level});
    for (const auto& field : spec.fields) info.fields.emplace_back(field.key);
    for (const auto& metric : spec.metrics) {
        MetricInfo about{.name = std::string(metric.name), .type = metric.type, .help = std::string(metric.help)};
        for (const auto& label : metric.labels) about.labels.emplace_back(label.name);
        info.metrics.push_back(std::move(about));
    }
    return info;
}

}  // namespace

std::vector<EventInfo> event_catalogue() {
    std::vector<EventInfo> catalogue;
    for (const auto& spec : event_specs()) catalogue.push_back(info_of(spec));
    return catalogue;
}

std::vector<MetricInfo> standing_metrics() {
    std::vector<MetricInfo> metrics{build_info};
    for (const auto& metric : read_process_metrics())
        metrics.push_back({.name = std::string(metric.name), .type = metric.type, .help = std::string(metric.help)});
    return metrics;
}

}  // namespace crawler::adapters
