// The metrics of the event descriptions as Prometheus sees them; the only user of the Prometheus library.
#pragma once
#include <memory>

#include "adapters/telemetry/telemetry.hpp"

namespace crawler::adapters {

inline const MetricInfo build_info{
    "crawler_build_info", MetricType::gauge, {"service", "version"}, "Always 1; the labels tell what runs."};

class EventMetrics {
  public:
    explicit EventMetrics(const TelemetrySource& source);
    ~EventMetrics();

    void apply(const ports::Event& event, TimePoint now);
    std::string scrape() const;

  private:
    class Registered;
    std::unique_ptr<Registered> registered_;
};

}  // namespace crawler::adapters
