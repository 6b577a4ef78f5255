#include "adapters/telemetry/telemetry.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include "adapters/telemetry/event_spec.hpp"
#include "adapters/telemetry/json_line.hpp"
#include "adapters/telemetry/metrics.hpp"

namespace crawler::adapters {
namespace {

spdlog::level::level_enum to_spdlog(LogLevel level) {
    switch (level) {
        case LogLevel::debug:
            return spdlog::level::debug;
        case LogLevel::info:
            return spdlog::level::info;
        case LogLevel::warning:
            return spdlog::level::warn;
        case LogLevel::error:
            break;
    }
    return spdlog::level::err;
}

class LoggedAndCounted final : public PrometheusTelemetry {
  public:
    LoggedAndCounted(TelemetryConfig config, const TelemetrySource& source, const ports::Clock& clock,
                     spdlog::sink_ptr sink)
        : service_(source.service), clock_(clock), metrics_(source), log_(service_, std::move(sink)) {
        log_.set_pattern("%v");
        log_.set_level(to_spdlog(config.level));
        // Each line is written through. The line a crash would take along is the one that explains it, and at the usual
        // level there are few lines: what happens per item is debug.
        log_.flush_on(spdlog::level::trace);
    }

    void emit(const ports::Event& event) noexcept override {
        const auto now = clock_.now();
        metrics_.apply(event, now);
        const auto level = to_spdlog(spec_of(event).severity.of(event));
        if (log_.should_log(level)) log_.log(level, json_line(event, now, service_));
    }

    std::string scrape() override { return metrics_.scrape(); }

  private:
    std::string service_;
    const ports::Clock& clock_;
    EventMetrics metrics_;
    spdlog::logger log_;
};

}  // namespace

std::unique_ptr<PrometheusTelemetry> make_telemetry(TelemetryConfig config, const TelemetrySource& source,
                                                    const ports::Clock& clock) {
    auto sink = std::make_shared<spdlog::sinks::stdout_sink_mt>();
    return std::make_unique<LoggedAndCounted>(config, source, clock, std::move(sink));
}

std::unique_ptr<PrometheusTelemetry> make_telemetry(TelemetryConfig config, const TelemetrySource& source,
                                                    const ports::Clock& clock, std::ostream& log) {
    auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(log);
    return std::make_unique<LoggedAndCounted>(config, source, clock, std::move(sink));
}

}  // namespace crawler::adapters
