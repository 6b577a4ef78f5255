// The external product server, which wants to hear what changed.
#pragma once
#include "coro/async.hpp"
#include "domain/outbox.hpp"

namespace crawler::ports {

class ProductServer {
  public:
    virtual ~ProductServer() = default;

    // Delivers the entry's payload for the item that is its subject, under its idempotency key: twice is once.
    // rate_limited, timeout, unavailable: try again. invalid: refused for good, with the server's words.
    virtual Async<Result<>> push(OutboxEntry entry) = 0;
};

}  // namespace crawler::ports
