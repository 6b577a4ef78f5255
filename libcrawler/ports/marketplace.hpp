// The marketplace: how to ask it and how to read what it says.
#pragma once
#include <cstdint>
#include <vector>

#include "coro/async.hpp"
#include "domain/crawled_raw.hpp"
#include "domain/product.hpp"
#include "ports/identity_pool.hpp"

namespace crawler::ports {

struct Page {
    int http_status = 200;
    std::string body;
    std::vector<RequestUrl> follow_ups;                    // what the answer says to ask next
    std::optional<std::int64_t> announced = std::nullopt;  // a listing: how many items it has in all, as it says itself
};

class Marketplace {
  public:
    virtual ~Marketplace() = default;

    // How many items the seller's listing announces. Spends the slot, as fetch does. Errors of both: rate_limited (429), blocked
    // (401, 403), not_found (404, 410), timeout, unavailable (5xx, reset), invalid (any other answer we cannot use).
    virtual Async<Result<std::int64_t>> count_items(SellerId seller, Slot slot) = 0;
    virtual Async<Result<Page>> fetch(CrawlerTask task, Slot slot) = 0;
    // Asks for a session under the slot's identity, whatever token it has; what the marketplace gave is the new token. Spends the
    // slot, with the same errors.
    virtual Async<Result<Secret>> open_session(Slot slot) = 0;

    // What a stored answer says about products, whosever they are: a detail and a seller's own listing name the seller, options
    // and search results name nobody, and search results are partial. invalid: where and why it cannot be read.
    virtual Result<std::vector<Facet>> read(const CrawledRaw& raw) const = 0;
};

}  // namespace crawler::ports
