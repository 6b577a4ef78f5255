// Products, their history, and what the product server has yet to hear about them.
#pragma once
#include <vector>

#include "coro/async.hpp"
#include "domain/crawled_raw.hpp"
#include "domain/outbox.hpp"
#include "domain/product.hpp"

namespace crawler::ports {

struct KnownProduct {
    Product product;
    std::optional<OutboxEntry>
        untold;  // its youngest event, if nobody has tried to tell it yet: the next may melt into it
};

// One real change of a product, kept for good.
struct ProductChange {
    ItemNo item = 0;
    std::int64_t version = 0;
    RawId raw;  // the answer that brought it; empty where complete listings lack the product
    TimePoint changed_at;
    FieldDiff diff;
    std::optional<ProductEventType> event = std::nullopt;  // what was told about it

    friend bool operator==(const ProductChange&, const ProductChange&) = default;
};

struct AbsorbedRaw {
    CrawledRaw raw;  // marked as PROCESSED
    std::vector<Product> products;
    std::vector<ProductChange> history;
    std::vector<OutboxEntry> events;  // subject = item number
    std::vector<OutboxId> melted;     // entries that these events, or nothing at all, took the place of
};

class ProductStore {
  public:
    virtual ~ProductStore() = default;

    // Those of the items that have been seen, in no order, each once.
    virtual Async<Result<std::vector<KnownProduct>>> find(std::vector<ItemNo> items) = 0;
    // Raws, products, history and events: all of it or nothing; it ends the claims on the raws. conflict: a product was saved
    // since it was read or is there twice, a melted entry was claimed since, the claim on a raw was lost, or an id is taken; read
    // again and try again. invalid: a raw is not PROCESSED.
    virtual Async<Result<>> absorb(std::vector<AbsorbedRaw> absorbed) = 0;
    Async<Result<>> absorb(AbsorbedRaw absorbed) {
        std::vector<AbsorbedRaw> one;
        one.push_back(std::move(absorbed));
        co_return co_await absorb(std::move(one));
    }
    // The changes of one product, newest first.
    virtual Async<Result<std::vector<ProductChange>>> history(ItemNo item, int limit) = 0;
};

}  // namespace crawler::ports
