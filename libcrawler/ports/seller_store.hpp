// Sellers, by their marketplace id.
#pragma once
#include "coro/async.hpp"
#include "domain/seller.hpp"

namespace crawler::ports {

class SellerStore {
  public:
    virtual ~SellerStore() = default;

    // conflict: the seller is there already.
    virtual Async<Result<>> add(Seller seller) = 0;
    // not_found: there is no such seller.
    virtual Async<Result<Seller>> find(SellerId id) = 0;
    // conflict: somebody saved it since it was read. not_found: there is no such seller.
    virtual Async<Result<>> save(Seller seller) = 0;
};

}  // namespace crawler::ports
