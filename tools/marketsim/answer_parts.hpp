// What several answers say in the same words.
#pragma once
#include "bodies.hpp"
#include "dice.hpp"
#include "json_text.hpp"

namespace marketsim {

// 545600 as "545,600".
std::string in_thousands(std::int64_t number);
// The pattern with a number below `end` for every '@' in it.
std::string counted(std::string_view pattern, std::uint64_t end, Dice& dice);
// As a number, or as a text of digits where the answer is to be spoilt like that.
void whole(JsonText& json, std::string_view name, std::int64_t value, Quirks quirks);

void append_images(JsonText& json, std::string_view name, const Product& product, std::string_view size);
void append_tags(JsonText& json, const Product& product);
std::string landing_url(const Product& product);
// category_1_id to category_3_name; a product without a small category has no category_3_name.
void append_category_ids(JsonText& json, const Product& product);

// The page that compares the prices of one product; not one of the facets.
std::int64_t catalog_no(const Product& product);
bool is_lowest_price(const Product& product);

}  // namespace marketsim
