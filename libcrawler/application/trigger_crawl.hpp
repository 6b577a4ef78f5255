// A schedule fired, or somebody asked: starts a run over a seller's catalogue. Used by the trigger.
#pragma once
#include <map>

#include "application/attempt.hpp"
#include "application/new_tasks.hpp"
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

// Where a run begins to read.
enum class ListingSource {
    minishop,  // the seller's own listing: its total is known at the start, so all its pages are asked for at once
    search,    // a search: each page names the next one, and how many there are shows at the end
};
constexpr auto names(ListingSource) {
    return std::to_array<EnumName<ListingSource>>(
        {{ListingSource::minishop, "minishop"}, {ListingSource::search, "search"}});
}

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
        ports::Pause& pause;
        ports::Telemetry& telemetry;
    };
    struct Settings {
        Duration lease = std::chrono::minutes{2};        // longer than a trigger can take
        Duration soon = std::chrono::seconds{1};         // the least before a message comes back that had no slot
        Duration retry_wait = std::chrono::minutes{5};   // before one comes back that the marketplace did not answer
        Duration run_deadline = std::chrono::hours{48};  // a run that is open for so long is stuck, and gives way
        ListingSource listing = ListingSource::minishop;
        std::map<std::string, std::string> keywords = {};  // of a search, by seller id; without one the id is it
        AttemptSettings attempt = {};
    };

    TriggerCrawl(Ports ports, SlotShelf& slots, Settings settings);

    // Ack: the run exists, or shall not be (unknown or inactive seller, a run of it is open, the marketplace has no such listing).
    // RetryAfter: there is no slot now, the marketplace does not answer, or another trigger of the same seller is under way.
    Async<Result<ports::Disposition>> handle(SellerId seller);

  private:
    Async<Result<std::optional<CrawlingScheduleExecution>>> find_fresh_run(SellerId seller);
    Async<Result<ports::Disposition>> begin_run(Seller seller, TimePoint until);
    Async<Result<ports::Disposition>> read_listing(Seller seller, TimePoint until);
    Async<Result<ports::Disposition>> search(Seller seller);
    Async<Result<ports::Disposition>> store(Seller seller, ExecutionId run, NewTasks listing, std::int64_t announced);
    TimePoint stuck_if_before() const;
    ports::Disposition put_off(const SellerId& seller, const Error& why);
    ports::Disposition refuse(const SellerId& seller, const Error& why);

    Ports p_;
    SlotShelf& slots_;
    Settings settings_;
    Attempt attempt_;
};

}  // namespace crawler::application
