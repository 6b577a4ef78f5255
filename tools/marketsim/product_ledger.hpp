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
    std::uint32_t arrived = 0;  // so many of its first mutations have all arrived
    bool is_live = false;
};

class ProductLedger {
  public:
    explicit ProductLedger(const Catalogue& catalogue) : catalogue_(catalogue) {}

    // Nobody where it was never created.
    const HeldProduct* find(ItemNo item) const;
    const boost::unordered_flat_map<ItemNo, HeldProduct>& products() const { return products_; }
    // Of the facets that are no revision's, the first few; empty where there is none.
    std::span<const WrongField> wrong_fields(ItemNo item) const;

    // The event as the newest state of its product, which the caller has made sure it is. Whether it changed anything.
    bool apply(const ProductEvent& event, SimTime now);
    // When the first event came that shows this mutation, or a later one over it.
    std::optional<SimTime> arrival(std::size_t mutation) const;

  private:
    void hold(HeldProduct& held, const ProductEvent& event);
    void note_arrivals(HeldProduct& held, ItemNo item, SimTime now);

    const Catalogue& catalogue_;
    boost::unordered_flat_map<ItemNo, HeldProduct> products_;
    boost::unordered_flat_map<ItemNo, std::vector<WrongField>> wrong_;
    std::vector<SimTime> arrivals_;  // by mutation
};

}  // namespace marketsim
