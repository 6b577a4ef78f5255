// Publishes tasks: outbox entries become messages of the task queue, as many as the request budget can serve soon. Used by the
// outbox-relay.
#pragma once
#include "application/outbox_settings.hpp"
#include "ports/clock.hpp"
#include "ports/identity_pool.hpp"
#include "ports/message_queue.hpp"
#include "ports/outbox_store.hpp"
#include "ports/telemetry.hpp"

namespace crawler::application {

class RelayTaskOutbox {
  public:
    struct Ports {
        ports::OutboxStore& outbox;
        ports::MessageQueue& queue;
        ports::IdentityPool& identities;
        const ports::Clock& clock;
        ports::Telemetry& telemetry;
    };
    struct Settings {
        OutboxSettings outbox;
        // The queue is given no more than what can be asked within so long: what waits in there can no longer be put in another
        // order, and counts as received too often if it waits in vain.
        Duration horizon = std::chrono::minutes{2};
    };
    RelayTaskOutbox(Ports ports, Settings settings) : p_(ports), settings_(settings) {}

    // How many entries were claimed, whatever became of them. Where it is not known what the budget can serve, none is.
    Async<Result<std::size_t>> run_once();

  private:
    Async<Result<int>> allowance();
    void tell(const ports::PoolView& pool);
    void tell_if_changed(bool held, std::int64_t servable, std::int64_t waiting);
    Async<std::vector<Result<>>> send(std::vector<OutboxEntry> entries);

    Ports p_;
    Settings settings_;
    bool is_held_back_ = false;
};

}  // namespace crawler::application
