// A schedule fired, or somebody asked: starts a run over a seller's catalogue. Used by the trigger.
#pragma once
#include "application/slot_shelf.hpp"
#include "ports/clock.hpp"
#include "ports/execution_store.hpp"
#include "ports/id_generator.hpp"
#include "ports/identity_pool.hpp"
#include "ports/lease.hpp"
#include "ports/marketplace.hpp"
#include "ports/message_queue.hpp"
#include "ports/seller_store.hpp"
#include "ports/telemetry.hpp"

namespace crawler::application {

class TriggerCrawl {
  public:
    struct Ports {
        ports::SellerStore& sellers;
        ports::ExecutionStore& executions;
        ports::Leases& leases;
        ports::IdentityPool& identities;
        ports::Marketplace& marketplace;
        ports::IdGenerator& ids;
        const ports::Clock& clock;
        ports::Telemetry& telemetry;
    };
    struct Settings {
        Duration lease = std::chrono::minutes{1};  // longer than a trigger can take
        Duration soon = std::chrono::seconds{1};   // before a message comes back that had no slot
    };

    TriggerCrawl(Ports ports, SlotShelf& slots, Settings settings) : p_(ports), slots_(slots), settings_(settings) {}

    // Ack: the run exists, or never can (unknown or inactive seller). RetryAfter: no slot at hand, or another trigger of the same
    // seller is under way.
    Async<Result<ports::Disposition>> handle(SellerId seller);

  private:
    Async<Result<ports::Disposition>> start_run(Seller seller, ports::Slot slot);
    Async<Result<>> store_run(Seller seller, std::int64_t products);

    Ports p_;
    SlotShelf& slots_;
    Settings settings_;
};

}  // namespace crawler::application
