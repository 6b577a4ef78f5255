#include "domain/product.hpp"

#include <algorithm>

namespace crawler {

bool Product::absorb(const Facet& facet) {
    auto& known = state_.facets[static_cast<std::size_t>(facet.kind)];
    if (known && facet.fetched_at <= known->fetched_at) return false;
    const bool changed = !known || known->digest != facet.digest;
    if (!known) known.emplace();
    known->fetched_at = facet.fetched_at;
    if (!changed) return false;
    known->digest = facet.digest;
    ++known->version;
    ++state_.version;
    return true;
}

bool Product::is_complete() const {
    return std::ranges::all_of(state_.facets, [](const auto& facet) { return facet.has_value(); });
}

}  // namespace crawler
