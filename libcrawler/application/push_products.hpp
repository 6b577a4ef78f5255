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
        int most_unheard = 3;  // pushes in a row that the server did not take in; then it is down, and the pass ends
    };
    PushProducts(Ports ports, Settings settings) : p_(ports), settings_(settings) {}

    // How many events were claimed, whatever became of them. What was pushed is settled, whatever became of the others; what could not be
    // pushed in the time of the lease comes back at once. unavailable: the server is down. That is no event's fault: only those
    // that found it out have spent a retry.
    Async<Result<std::size_t>> run_once();

  private:
    // What was pushed and is not settled yet; the events are told once it is.
    struct Pushed {
        std::vector<OutboxEntry> entries = {};
        std::vector<ports::Event> events = {};
        int unheard_in_a_row = 0;
    };
    Async<Result<>> push(OutboxEntry entry, Pushed& pushed);
    Async<Result<>> settle(Pushed pushed);
    bool is_down(const Pushed& pushed) const;

    Ports p_;
    Settings settings_;
};

}  // namespace crawler::application
