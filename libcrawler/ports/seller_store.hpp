// Sellers by their marketplace id, each with its schedule.
#pragma once
#include <optional>
#include <vector>

#include "coro/async.hpp"
#include "domain/outbox.hpp"
#include "domain/schedule.hpp"
#include "domain/seller.hpp"

namespace crawler::ports {

struct SellerAndSchedule {
    Seller seller;
    CrawlingSchedule schedule;
};

struct SellerQuery {
    std::optional<SellerStatus> status = std::nullopt;  // those alone
    std::int64_t offset = 0;
    int limit = 100;
};
struct SellerPage {
    std::vector<SellerAndSchedule> sellers;  // by id
    std::int64_t total = 0;                  // of all pages
};

class SellerStore {
  public:
    virtual ~SellerStore() = default;

    // Seller, schedule and the order for the scheduler: all of it or nothing. conflict: the seller is there already, or an id
    // is taken.
    virtual Async<Result<>> add(SellerAndSchedule both, OutboxEntry order) = 0;
    // not_found: there is no such seller.
    virtual Async<Result<Seller>> find(SellerId id) = 0;
    virtual Async<Result<SellerAndSchedule>> find_both(SellerId id) = 0;
    virtual Async<Result<SellerPage>> page(SellerQuery query) = 0;
    // What an operator changed, with the order for the scheduler where its rule changes: all of it or nothing. conflict:
    // somebody saved one of the two since they were read, or the order's id is taken. not_found: there is no such seller.
    virtual Async<Result<>> save(SellerAndSchedule both, std::optional<OutboxEntry> order) = 0;
};

}  // namespace crawler::ports
