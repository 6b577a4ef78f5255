// Sellers for tests: a_seller("shop-1").named("이름").inactive().build().
#pragma once
#include "domain/seller.hpp"
#include "support/t0.hpp"

namespace crawler::test {

inline SellerId seller_id(const std::string& text = "shop-1") {
    return *SellerId::parse(text);
}

inline CrawlingInterval days(int count) {
    return *CrawlingInterval::days(count);
}

class SellerBuilder {
  public:
    explicit SellerBuilder(SellerId id)
        : state_{.id = std::move(id), .name = "Shop", .interval = {}, .created_at = t0, .updated_at = t0} {}

    SellerBuilder named(std::string name) {
        return with([&](auto& s) { s.name = std::move(name); });
    }
    SellerBuilder every(CrawlingInterval interval) {
        return with([&](auto& s) { s.interval = interval; });
    }
    SellerBuilder coded(std::string code) {
        return with([&](auto& s) { s.external_code = std::move(code); });
    }
    SellerBuilder in(SellerStatus status) {
        return with([&](auto& s) { s.status = status; });
    }
    SellerBuilder inactive() { return in(SellerStatus::inactive); }

    Seller build() const { return Seller::restore(state_); }
    operator Seller() const { return build(); }

  private:
    template <class Change>
    SellerBuilder with(Change change) const {
        auto next = *this;
        change(next.state_);
        return next;
    }
    Seller::State state_;
};

inline SellerBuilder a_seller(const std::string& id = "shop-1") {
    return SellerBuilder(seller_id(id));
}

}  // namespace crawler::test
