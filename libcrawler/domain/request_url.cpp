#include "domain/request_url.hpp"

#include <string_view>

namespace crawler {
namespace {

// RFC 3986: everything but the unreserved characters is encoded, once.
std::string percent_encode(std::string_view text) {
    constexpr std::string_view unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    constexpr char hex[] = "0123456789ABCDEF";
    std::string encoded;
    for (const char c : text) {
        if (unreserved.find(c) != std::string_view::npos) {
            encoded += c;
        } else {
            const auto byte = static_cast<unsigned char>(c);
            encoded += {'%', hex[byte >> 4], hex[byte & 15]};
        }
    }
    return encoded;
}

}  // namespace

std::string minishop_url(const SellerId& seller, std::int64_t page) {
    return "/mustit-api/facade-api/v1/searchmini-shop-search?sellerId=" + percent_encode(seller.value()) +
           "&pageNo=" + std::to_string(page) + "&pageSize=" + std::to_string(listing_page_size) + "&order=LATEST";
}

std::string detail_url(ItemNo item) {
    return "/mustit-api/facade-api/v1/item/" + std::to_string(item) + "/detail/top";
}

std::string option_url(ItemNo item) {
    return "/mustit-api/legacy-api/v1/auction_products/" + std::to_string(item) + "/options";
}

}  // namespace crawler
