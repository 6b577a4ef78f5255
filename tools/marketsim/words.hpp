// The words products are made of.
#pragma once
#include <span>

#include "product.hpp"

namespace marketsim {

struct Brand {
    std::int64_t code = 0;
    std::string_view name;
    std::string_view name_kr;  // empty where it has none
};

struct Shelf {
    Category header;
    Category large;
    Category medium;
    Category small;
    std::string_view noun;
    std::span<const std::string_view> sizes;
};

std::span<const Brand> brands();
std::span<const Shelf> shelves();
std::span<const std::string_view> shop_names();
std::span<const std::string_view> styles();  // between brand and noun
std::span<const std::string_view> colors();
std::span<const std::string_view> size_guides();
std::span<const std::string_view> tag_titles();
std::span<const std::string_view> countries();
std::span<const std::string_view> places_of_dispatch();
std::span<const std::string_view> sentences();  // of a description; HTML, with all that JSON must escape

}  // namespace marketsim
