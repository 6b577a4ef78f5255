// Tells the product server what changed, in order for each product. Used by product-sync.
#pragma once
#include "application/outbox_settings.hpp"
#include "ports/clock.hpp"
#include "ports/outbox_store.hpp"
#include "ports/product_server.hpp"
#include "ports/telemetry.hpp"

namespace crawler::application {

class PushProducts {
  public:
    struct Ports {
        ports::OutboxStore& outbox;
        ports::ProductServer& server;
        const ports::Clock& clock;
        ports::Telemetry& telemetry;
    };
    PushProducts(Ports ports, OutboxSettings settings) : p_(ports), settings_(settings) {}

    // How many events were claimed, whatever became of them.
    Async<Result<std::size_t>> run_once();

  private:
    Async<Result<>> push(OutboxEntry entry);

    Ports p_;
    OutboxSettings settings_;
};

}  // namespace crawler::application
