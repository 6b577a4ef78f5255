// What operators see: each event of ports/telemetry.hpp becomes one JSON line on stdout and moves its metrics. Every
// daemon makes one and serves scrape() as /metrics; crawlerctl prints the catalogue.
#pragma once
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ports/clock.hpp"
#include "ports/telemetry.hpp"

namespace crawler::adapters {

enum class LogLevel { debug, info, warning, error };
constexpr auto names(LogLevel) {
    return std::to_array<EnumName<LogLevel>>({{LogLevel::debug, "debug"},
                                              {LogLevel::info, "info"},
                                              {LogLevel::warning, "warning"},
                                              {LogLevel::error, "error"}});
}

struct TelemetryConfig {
    LogLevel level = LogLevel::info;  // lines below it are not written; metrics move all the same
};

// Who speaks. The series of these loops, and of what is done only in them, are exposed from the first scrape on, with
// 0, so that the first rate() and the first alert already see them; a loop that is not ours leaves nothing on the
// dashboard. An event of another loop is not lost: its series appear with it.
struct TelemetrySource {
    std::string service;
    std::string version;
    std::vector<ports::Loop> loops;
};

// emit and scrape may be called from any thread.
class PrometheusTelemetry : public ports::Telemetry {
  public:
    virtual std::string scrape() = 0;  // all metrics, as `metrics_content_type`
};
inline constexpr std::string_view metrics_content_type = "text/plain; version=0.0.4; charset=utf-8";

// Lines go to stdout, or to `log`, which must outlive the telemetry.
std::unique_ptr<PrometheusTelemetry> make_telemetry(TelemetryConfig config, const TelemetrySource& source,
                                                    const ports::Clock& clock);
std::unique_ptr<PrometheusTelemetry> make_telemetry(TelemetryConfig config, const TelemetrySource& source,
                                                    const ports::Clock& clock, std::ostream& log);

enum class MetricType { counter, gauge, histogram };
constexpr auto names(MetricType) {
    return std::to_array<EnumName<MetricType>>(
        {{MetricType::counter, "counter"}, {MetricType::gauge, "gauge"}, {MetricType::histogram, "histogram"}});
}

struct MetricInfo {
    std::string name;
    MetricType type{};
    std::vector<std::string> labels;
    std::string help;
};

struct EventInfo {
    struct Raised {
        std::string when;
        LogLevel level{};
    };
    std::string event;
    LogLevel level{};
    std::vector<Raised> raised;       // the level it has instead, under a condition; the last one that holds counts
    std::vector<std::string> fields;  // in the order of the line, after ts, level, service and event
    std::vector<MetricInfo> metrics;  // what it moves; several events may move the same metric
};

// One entry per event, in the order of ports::Event, read from the very declarations that emit() follows.
std::vector<EventInfo> event_catalogue();
// What every daemon exposes without any event: its build and its process.
std::vector<MetricInfo> standing_metrics();

}  // namespace crawler::adapters
