// The configuration that all four daemons share, and how its sections are read.
#pragma once
#include <string>

#include "adapters/http/http.hpp"
#include "adapters/sql/sql.hpp"
#include "adapters/telemetry/telemetry.hpp"
#include "application/outbox_settings.hpp"
#include "domain/retry_policy.hpp"
#include "runtime/config.hpp"
#include "runtime/consumer.hpp"
#include "runtime/periodic.hpp"

namespace crawler::services {

struct CommonConfig {
    adapters::TelemetryConfig log;
    adapters::HttpServerConfig http;
    Duration longest_silence = std::chrono::minutes{15};  // of a loop, before /healthz says so; longer than any pass
    adapters::DatabaseConfig database;
};

void read_common(runtime::Node root, CommonConfig& config);
void read_consumer(runtime::Node section, runtime::ConsumerConfig& config);
void read_periodic(runtime::Node section, runtime::PeriodicConfig& config);
void read_retry(runtime::Node section, RetryPolicy& policy);
void read_outbox(runtime::Node section, application::OutboxSettings& settings);

}  // namespace crawler::services
