// A product as it first was, out of nothing but a seed and its place. Catalogue makes one whenever somebody looks.
#pragma once
#include "dice.hpp"
#include "product.hpp"

namespace marketsim {

struct Origin {
    std::uint64_t seed = 0;
    int seller = 0;
    ItemNo item_no = 0;  // no two products of a seed have the same
};

inline constexpr ItemNo first_item_no = 110'000'000;

Product make_product(const Origin& origin);

// What changes of products need as well.
struct Prices {
    std::int64_t normal = 0;
    std::int64_t selling = 0;
    std::int64_t discount = 0;
};
void set_prices(Product& product, const Prices& prices);  // and the rate that comes of them
Prices discounted(std::int64_t normal, Dice& dice);
std::string make_image(int seller, Dice& dice);
// `slot` counts the options that the product ever had.
std::int64_t option_no(ItemNo item, std::size_t slot);
void count_stock(Product& product);  // of the options, where there are any

}  // namespace marketsim
