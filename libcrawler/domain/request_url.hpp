// What a task may ask the marketplace for: path and query, encoded once.
#pragma once
#include <string>

#include "domain/product.hpp"

namespace crawler {

inline constexpr int listing_page_size = 500;

std::string minishop_url(const SellerId& seller, std::int64_t page);
std::string detail_url(ItemNo item);
std::string option_url(ItemNo item);

}  // namespace crawler
