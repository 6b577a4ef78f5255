// One product of the simulated marketplace, whole: everything its four answers and its three facets are made of.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace marketsim {

using ItemNo = std::int64_t;

// What an answer appends to the address of an image.
inline constexpr std::string_view listing_image_size = "/_dims_/resize/300x300/extent/300x400";
inline constexpr std::string_view detail_image_size = "/_dims_/resize/500x500/extent/500x500";

struct Option {
    std::int64_t no = 0;  // beyond 32 bits
    std::string color;
    std::string size;
    std::string size_guide;
    std::int64_t stock = 0;
};

struct Category {
    std::string_view code;
    std::string_view name;
};

struct Product {
    ItemNo item_no = 0;
    int seller = 0;  // counted from 0; seller_1 is 0
    std::string name;
    std::string_view brand;
    std::string_view brand_kr;  // empty where it has none
    std::int64_t brand_code = 0;
    Category header;
    Category large;
    Category medium;
    Category small;  // empty where the product has none
    std::int64_t normal_price = 0;
    std::int64_t selling_price = 0;
    std::int64_t discount_price = 0;  // what a listing calls price
    std::int64_t discount_rate = 0;
    std::int64_t stock = 0;           // of all options where there are any
    std::vector<std::string> images;  // without the size that each answer asks for
    std::vector<std::string_view> tags;
    std::int64_t shipping_fee = 0;
    std::string_view shipping_type;  // DOMESTIC or OVERSEAS
    int delivery_days = 0;           // on average; 0 where nobody knows yet
    std::string_view item_status;
    std::string_view origin_country;
    std::string_view shipping_location;
    std::string description;  // HTML, several KB
    std::vector<Option> options;

    bool is_sold_out() const { return stock == 0; }
    bool is_overseas() const { return shipping_type == "OVERSEAS"; }
    std::string_view shipping_fee_type() const { return shipping_fee == 0 ? "FREE" : "PREPAY"; }
};

}  // namespace marketsim
