// Publishes tasks: outbox entries become messages of the task queue. Used by the outbox-relay.
#pragma once
#include "application/outbox_settings.hpp"
#include "ports/clock.hpp"
#include "ports/message_queue.hpp"
#include "ports/outbox_store.hpp"
#include "ports/telemetry.hpp"

namespace crawler::application {

class RelayTaskOutbox {
  public:
    struct Ports {
        ports::OutboxStore& outbox;
        ports::MessageQueue& queue;
        const ports::Clock& clock;
        ports::Telemetry& telemetry;
    };
    RelayTaskOutbox(Ports ports, OutboxSettings settings) : p_(ports), settings_(settings) {}

    // How many entries were claimed, whatever became of them.
    Async<Result<std::size_t>> run_once();

  private:
    Async<std::vector<Result<>>> send(std::vector<OutboxEntry> entries);

    Ports p_;
    OutboxSettings settings_;
};

}  // namespace crawler::application
