// What a change does to a product, and which of its facets then say something else.
#pragma once
#include "catalogue.hpp"

namespace marketsim {

using Touches = std::array<bool, 3>;  // by Facet

// `turn` counts the changes of this product from 0: the same turn of the same product always comes out the same.
Touches change_product(Product& product, ChangeKind kind, std::uint64_t seed, std::size_t turn);

}  // namespace marketsim
