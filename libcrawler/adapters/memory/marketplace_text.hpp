// The text in which the memory marketplace answers, both directions:
//   listing "seller" 2 item 4711 "name" 1000 item 4712 "other" 2000
//   detail 4711 "seller" "name" 1000
//   options 4711 2 "S" "M"
#pragma once
#include <string>

#include "adapters/memory/memory.hpp"

namespace crawler::adapters {

std::string listing_text(const std::string& seller, const std::vector<CatalogueItem>& items);
std::string detail_text(const std::string& seller, const CatalogueItem& item);
std::string options_text(const CatalogueItem& item);

// The facets a stored answer holds. invalid: what is not exactly of the form above, a detail of another seller
// included.
Result<std::vector<Facet>> read_text(const CrawledRaw& raw);

}  // namespace crawler::adapters
