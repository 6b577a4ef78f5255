// Tells the product server what changed, in order for each product. Used by product-sync, where several may run side by side: no two
// claims have an entry in common, nor a product.
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
    struct Settings {
        OutboxSettings outbox{.lease = std::chrono::minutes{5}};
        int settle_batch =
            25;  // pushes whose outcome is stored in one transaction: so many are told again after a crash
        // No push begins so close to the end of the lease: longer than one push and one settling can take.
        Duration reserve = std::chrono::seconds{20};
    };
    PushProducts(Ports ports, Settings settings) : p_(ports), settings_(settings) {}

    // How many events were claimed, whatever became of them. What was pushed is settled, whatever became of the others; what could not be
    // pushed in the time of the lease comes back when that is over.
    Async<Result<std::size_t>> run_once();

  private:
    // What was pushed and is not settled yet; the events are told once it is.
    struct Pushed {
        std::vector<OutboxEntry> entries;
        std::vector<ports::Event> events;
    };
    Async<Result<>> push(OutboxEntry entry, Pushed& pushed);
    Async<Result<>> settle(Pushed pushed);

    Ports p_;
    Settings settings_;
};

}  // namespace crawler::application
