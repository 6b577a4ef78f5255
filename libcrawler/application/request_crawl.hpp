// Somebody wants a seller crawled now, whatever its schedule says: puts the message on the trigger queue that the schedule would.
// Used by the admin API and by crawlerctl.
#pragma once
#include "ports/message_queue.hpp"
#include "ports/seller_store.hpp"

namespace crawler::application {

class RequestCrawl {
  public:
    struct Ports {
        ports::SellerStore& sellers;
        ports::MessageQueue& triggers;
    };
    explicit RequestCrawl(Ports ports) : p_(ports) {}

    // not_found: there is no such seller. conflict: it is not ACTIVE. What the queue answers where it takes nothing.
    Async<Result<>> handle(SellerId seller);

  private:
    Ports p_;
};

}  // namespace crawler::application
