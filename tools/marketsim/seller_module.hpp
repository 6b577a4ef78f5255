// The part of a detail that says what buyers think of the seller.
#pragma once
#include "dice.hpp"
#include "json_text.hpp"

namespace marketsim {

void append_seller_module(JsonText& json, std::int64_t seller_no, std::uint64_t tick, Dice& dice);

}  // namespace marketsim
