// Deletes what is done with and old enough, so that no table grows for ever. Used by the outbox-relay.
#pragma once
#include "ports/clock.hpp"
#include "ports/retention.hpp"
#include "ports/telemetry.hpp"

namespace crawler::application {

// How long things are kept after they came to their end.
struct RetentionAges {
    Duration finished_tasks = std::chrono::days{30};
    Duration sent_tasks = std::chrono::days{7};
    Duration sent_schedules = std::chrono::days{30};
    Duration sent_products = std::chrono::days{30};
    Duration superseded_raws = std::chrono::days{14};
    Duration ledger_entries = std::chrono::days{30};

    Duration of(ports::Expendable what) const;
};

struct RetentionSettings {
    RetentionAges age;
    int batch = 500;        // rows per transaction: a purge holds locks on no more
    int most_batches = 20;  // of each kind per pass
};

class PurgeExpired {
  public:
    struct Ports {
        ports::Retention& retention;
        const ports::Clock& clock;
        ports::Telemetry& telemetry;
    };
    PurgeExpired(Ports ports, RetentionSettings settings) : p_(ports), settings_(settings) {}

    // One pass over every kind; one that fails does not keep the others waiting. Returns how many rows went of those kinds
    // that have more to go: 0 means that all is purged, so that a loop rests although something new expires every second.
    Async<Result<std::size_t>> run_once();

  private:
    struct Purge {
        std::size_t rows = 0;
        bool has_more = false;
        std::optional<Error> failure = std::nullopt;  // after so many rows
    };
    Async<Purge> purge(ports::Expendable what);

    Ports p_;
    RetentionSettings settings_;
};

}  // namespace crawler::application
