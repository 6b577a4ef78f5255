// Products and what the product server has yet to hear about them.
#pragma once
#include <vector>

#include "coro/async.hpp"
#include "domain/crawled_raw.hpp"
#include "domain/outbox.hpp"
#include "domain/product.hpp"

namespace crawler::ports {

struct AbsorbedRaw {
    CrawledRaw raw;  // marked as PROCESSED
    std::vector<Product> products;
    std::vector<OutboxEntry> events;  // subject = item number
};

class ProductStore {
  public:
    virtual ~ProductStore() = default;

    // Those of the items that have been seen, in no order, each once.
    virtual Async<Result<std::vector<Product>>> find(std::vector<ItemNo> items) = 0;
    // Raw, products and events: all of it or nothing; it ends the claim on the raw. conflict: a product was saved since
    // it was read, the claim on the raw was lost, or an id is taken; read again and try again. invalid: the raw is not
    // PROCESSED.
    virtual Async<Result<>> absorb(AbsorbedRaw absorbed) = 0;
};

}  // namespace crawler::ports
