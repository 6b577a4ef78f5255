// Whether an event names the fields that changed: each that differs from what the product server held, and none besides.
#pragma once
#include "product_event.hpp"
#include "product_ledger.hpp"

namespace marketsim {

struct ChangesNamed {
    bool missed = false;    // a field differs that is not named
    bool invented = false;  // one is named that does not differ
};

// What was held is made again of its revisions; of a facet that is no revision's nobody can say any more, and nothing is said.
ChangesNamed judge_changes(const Catalogue& catalogue, const HeldProduct& held, const ProductEvent& event);

}  // namespace marketsim
