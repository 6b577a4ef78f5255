// What the product server holds: of every product a few bytes that say which revision of the catalogue each facet is, never the
// payload, so that a million products fit beside the fleet that is judged.
#pragma once
#include <boost/unordered/unordered_flat_map.hpp>

#include "facet_match.hpp"
#include "fingerprint.hpp"
#include "product_event.hpp"

namespace marketsim {

struct HeldProduct {
    std::int64_t version = 0;
    std::uint64_t content = 0;  // fingerprint of its data
    FacetRevisions revisions{no_revision, no_revision, no_revision};
    FacetRevisions floors{};  // the oldest that they can be, after all that was told before
    std::uint32_t wrong_fields = 0;
    std::uint32_t arrived = 0;  // so many of its first mutations have all arrived
    bool is_live = false;
    bool is_partial = false;  // its listing came from a search
};

class ProductLedger {
  public:
    explicit ProductLedger(const Catalogue& catalogue) : catalogue_(catalogue) {}

    // Nobody where it was never created.
    const HeldProduct* find(ItemNo item) const;
    const boost::unordered_flat_map<ItemNo, HeldProduct>& products() const { return products_; }
    // Of the facets that are no revision's, the first few; empty where there is none, and of the products that were found wrong when
    // so many were wrong already: a fleet that gets everything wrong shall not take all memory with it.
    static constexpr std::size_t most_wrong_products = 10'000;
    std::span<const WrongField> wrong_fields(ItemNo item) const;

    struct Effect {
        bool is_any = false;     // it changed something
        bool went_back = false;  // to what the product was before what was told of it
    };
    // The event as the newest state of its product, which the caller has made sure it is.
    Effect apply(const ProductEvent& event, SimTime now);
    // When the first event came that shows this mutation, or a later one over it.
    std::optional<SimTime> arrival(std::size_t mutation) const;
    std::size_t arrived_count() const { return arrived_count_; }

  private:
    bool hold(HeldProduct& held, const ProductEvent& event);  // whether it went back
    void note_arrivals(HeldProduct& held, ItemNo item, SimTime now);

    const Catalogue& catalogue_;
    boost::unordered_flat_map<ItemNo, HeldProduct> products_;
    boost::unordered_flat_map<ItemNo, std::vector<WrongField>> wrong_;
    std::vector<SimTime> arrivals_;  // by mutation
    std::size_t arrived_count_ = 0;
};

}  // namespace marketsim
