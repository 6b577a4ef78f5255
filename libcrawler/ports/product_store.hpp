// Products and what the product server has yet to hear about them.
#pragma once
#include <vector>

#include "coro/async.hpp"
#include "domain/crawled_raw.hpp"
#include "domain/outbox.hpp"
#include "domain/product.hpp"

namespace crawler::ports {

struct AbsorbedRaw {
    CrawledRaw raw;  // PROCESSED
    std::vector<Product> products;
    std::vector<OutboxEntry> events;  // subject = item number
};

class ProductStore {
  public:
    virtual ~ProductStore() = default;

    // Empty: not seen yet.
    virtual Async<Result<std::optional<Product>>> find(ItemNo item) = 0;
    // Raw, products and events: all of it or nothing. conflict: a product was saved since it was read, or the claim on the raw
    // was lost; read again and try again.
    virtual Async<Result<>> absorb(AbsorbedRaw absorbed) = 0;
};

}  // namespace crawler::ports
