#include <boost/json.hpp>
#include <iomanip>
#include <iostream>

#include "adapters/telemetry/telemetry.hpp"
#include "commands.hpp"

namespace crawler::ctl {
namespace {

namespace json = boost::json;
using adapters::EventInfo;
using adapters::MetricInfo;

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::string levels(const EventInfo& event) {
    std::string text(to_string(event.level));
    for (const auto& raised : event.raised)
        text += ", " + std::string(to_string(raised.level)) + " where " + raised.when;
    return text;
}

std::string with_labels(const MetricInfo& metric) {
    return metric.name + (metric.labels.empty() ? "" : "{" + joined(metric.labels) + "}");
}

void print_metric(const MetricInfo& metric) {
    std::cout << "    " << std::left << std::setw(9) << to_string(metric.type) << " " << with_labels(metric) << "\n"
              << "              " << metric.help << "\n";
}

void print_table() {
    for (const auto& event : adapters::event_catalogue()) {
        std::cout << event.event << "  (" << levels(event) << ")\n    fields    " << joined(event.fields) << "\n";
        for (const auto& metric : event.metrics) print_metric(metric);
        std::cout << "\n";
    }
    std::cout << "Every daemon, whatever happens\n";
    for (const auto& metric : adapters::standing_metrics()) print_metric(metric);
}

json::object as_json(const MetricInfo& metric) {
    return {{"name", metric.name},
            {"type", to_string(metric.type)},
            {"labels", json::value_from(metric.labels)},
            {"help", metric.help}};
}

json::array as_json(const std::vector<MetricInfo>& metrics) {
    json::array list;
    for (const auto& metric : metrics) list.push_back(as_json(metric));
    return list;
}

void print_json() {
    json::array events;
    for (const auto& event : adapters::event_catalogue()) {
        events.push_back(json::object{{"event", event.event},
                                      {"level", levels(event)},
                                      {"fields", json::value_from(event.fields)},
                                      {"metrics", as_json(event.metrics)}});
    }
    std::cout << json::object{{"events", events}, {"standing", as_json(adapters::standing_metrics())}} << "\n";
}

}  // namespace

int show_events(Format format) {
    if (format == Format::json) {
        print_json();
    } else {
        print_table();
    }
    return 0;
}

}  // namespace crawler::ctl
