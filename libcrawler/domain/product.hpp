// A product as we know it: three facets that arrive in any order, each with its own digest and version.
#pragma once
#include <array>
#include <optional>

#include "domain/seller.hpp"

namespace crawler {

enum class FacetKind { listing, detail, option };
constexpr auto names(FacetKind) {
    return std::to_array<EnumName<FacetKind>>(
        {{FacetKind::listing, "LISTING"}, {FacetKind::detail, "DETAIL"}, {FacetKind::option, "OPTION"}});
}

using ItemNo = std::int64_t;

// What one answer says about one product, in canonical form, with the digest of that form.
struct Facet {
    ItemNo item = 0;
    FacetKind kind = FacetKind::listing;
    std::string canonical;
    std::string digest;
    TimePoint fetched_at;
};

// What we keep of the latest answer about one facet.
struct KnownFacet {
    std::string digest;
    std::int64_t version = 0;
    TimePoint fetched_at;
};

class Product {
  public:
    struct State {
        ItemNo item = 0;
        SellerId seller;
        std::array<std::optional<KnownFacet>, 3> facets;  // by FacetKind
        std::int64_t version = 0;                         // counts real changes; what the product server orders by
        std::int64_t revision = 0;                        // counts saves
    };

    static Product discover(ItemNo item, SellerId seller) {
        return Product(State{.item = item, .seller = std::move(seller)});
    }
    static Product restore(State state) { return Product(std::move(state)); }

    // Takes the facet in; true if it really changed. An older answer than the one we have changes nothing.
    bool absorb(const Facet& facet);
    bool is_complete() const;

    const State& state() const { return state_; }

  private:
    explicit Product(State state) : state_(std::move(state)) {}
    State state_;
};

}  // namespace crawler
