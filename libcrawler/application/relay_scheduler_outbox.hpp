// Carries out what changes of schedules ordered: rules are put and removed. Used by the outbox-relay.
#pragma once
#include "application/outbox_settings.hpp"
#include "ports/clock.hpp"
#include "ports/outbox_store.hpp"
#include "ports/schedule_rules.hpp"
#include "ports/telemetry.hpp"

namespace crawler::application {

class RelaySchedulerOutbox {
  public:
    struct Ports {
        ports::OutboxStore& outbox;  // the scheduler's
        ports::ScheduleRules& rules;
        const ports::Clock& clock;
        ports::Telemetry& telemetry;
    };
    RelaySchedulerOutbox(Ports ports, OutboxSettings settings) : p_(ports), settings_(settings) {}

    // How many orders were claimed, whatever became of them. One that cannot be carried out in the end is DEAD and its schedule
    // FAILED.
    Async<Result<std::size_t>> run_once();

  private:
    Async<Result<>> carry_out(OutboxEntry order);
    Async<Result<>> change_rule(std::string payload);

    Ports p_;
    OutboxSettings settings_;
};

}  // namespace crawler::application
