// The HTML that a seller writes about a product: long, and full of what JSON must escape.
#pragma once
#include "dice.hpp"
#include "product.hpp"

namespace marketsim {

// No two editions of a product's description are the same.
std::string make_description(const Product& product, std::size_t edition, Dice& dice);

}  // namespace marketsim
