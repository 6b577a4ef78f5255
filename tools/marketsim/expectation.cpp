#include "expectation.hpp"

#include <algorithm>
#include <boost/json.hpp>

namespace marketsim {
namespace {

constexpr std::size_t shown_bytes = 60;

boost::json::array images_of(const Product& product, std::string_view size) {
    boost::json::array images;
    for (const auto& image : product.images) images.emplace_back(std::string(image).append(size));
    return images;
}

boost::json::array titles_of(std::vector<std::string_view> tags) {
    std::ranges::sort(tags);
    const auto repeated = std::ranges::unique(tags);
    tags.erase(repeated.begin(), repeated.end());
    return boost::json::array(tags.begin(), tags.end());
}

boost::json::object listing_of(const Product& product) {
    return {{"appPrice", product.discount_price},
            {"brandName", product.brand},
            {"discountRate", product.discount_rate},
            {"imageUrlList", images_of(product, listing_image_size)},
            {"itemNo", product.item_no},
            {"name", product.name},
            {"normalPrice", product.normal_price},
            {"originalPrice", product.normal_price},
            {"price", product.discount_price},
            {"tags", titles_of(product.tags)}};
}

void add_category(boost::json::object& facet, std::string_view name, const Category& category) {
    if (category.code.empty()) return;
    facet[std::string(name) + "Category"] = category.name;
    facet[std::string(name) + "CategoryCode"] = category.code;
}

boost::json::object detail_of(const Product& product) {
    const bool is_direct = product.shipping_type == "OVERSEAS";
    boost::json::object facet{{"brandCode", product.brand_code},
                              {"brandName", product.brand},
                              {"descriptionMarkUp", product.description},
                              {"discountPrice", product.discount_price},
                              {"discountRate", product.discount_rate},
                              {"images", images_of(product, detail_image_size)},
                              {"isCustomsDuty", is_direct},
                              {"isDirectShipping", is_direct},
                              {"isEachShippingFee", product.shipping_fee != 0},
                              {"isSoldOut", product.stock == 0},
                              {"itemName", product.name},
                              {"itemNo", product.item_no},
                              {"itemStatus", product.item_status},
                              {"normalPrice", product.normal_price},
                              {"originCountry", product.origin_country},
                              {"sellerId", Catalogue::seller_id(product.seller)},
                              {"sellerNo", Catalogue::seller_no(product.seller)},
                              {"sellingPrice", product.selling_price},
                              {"shippingFee", product.shipping_fee},
                              {"shippingFeeType", product.shipping_fee_type()},
                              {"shippingLocation", product.shipping_location},
                              {"shippingType", product.shipping_type},
                              {"stock", product.stock}};
    add_category(facet, "header", product.header);
    add_category(facet, "large", product.large);
    add_category(facet, "medium", product.medium);
    add_category(facet, "small", product.small);
    if (!product.brand_kr.empty()) facet["brandNameKr"] = product.brand_kr;
    if (product.delivery_days > 0)
        facet["averageDeliveryDay"] = "평균 배송 " + std::to_string(product.delivery_days) + "일 소요";
    return facet;
}

boost::json::object option_of(const Product& product) {
    boost::json::object facet;
    for (const auto& option : product.options) {
        facet[std::to_string(option.no)] = {
            {"color", option.color}, {"size", option.size}, {"sizeGuide", option.size_guide}, {"stock", option.stock}};
    }
    return facet;
}

std::string shown(const boost::json::value* value) {
    if (value == nullptr) return "nothing";
    auto text = boost::json::serialize(*value);
    if (text.size() <= shown_bytes) return text;
    auto end = shown_bytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // never half a character
    text.resize(end);
    return text.append("...");
}

// A value that either side may lack.
struct Pair {
    const boost::json::value* expected = nullptr;
    const boost::json::value* found = nullptr;
};

void compare(const std::string& path, const Pair& pair, std::vector<WrongField>& wrong);

void compare_members(const std::string& path, const boost::json::object& expected, const boost::json::object& found,
                     std::vector<WrongField>& wrong) {
    for (const auto& [key, value] : expected)
        compare(pointer_to(path, key), {.expected = &value, .found = found.if_contains(key)}, wrong);
    for (const auto& [key, value] : found) {
        if (!expected.contains(key))
            wrong.push_back({.path = pointer_to(path, key), .expected = shown(nullptr), .found = shown(&value)});
    }
}

void compare(const std::string& path, const Pair& pair, std::vector<WrongField>& wrong) {
    if (pair.expected->is_object() && pair.found != nullptr && pair.found->is_object()) {
        compare_members(path, pair.expected->get_object(), pair.found->get_object(), wrong);
    } else if (pair.found == nullptr || *pair.expected != *pair.found) {
        wrong.push_back({.path = path, .expected = shown(pair.expected), .found = shown(pair.found)});
    }
}

}  // namespace

std::string pointer_to(std::string path, std::string_view key) {
    path += '/';
    for (const char c : key) {
        if (c == '~') {
            path += "~0";
        } else if (c == '/') {
            path += "~1";
        } else {
            path += c;
        }
    }
    return path;
}

boost::json::object expected_facet(const Product& product, Facet facet) {
    switch (facet) {
        case Facet::listing:
            return listing_of(product);
        case Facet::detail:
            return detail_of(product);
        case Facet::option:
            break;
    }
    return option_of(product);
}

std::vector<WrongField> differences(Facet facet, const boost::json::object& expected, const boost::json::value& found) {
    const auto path = "/" + std::string(to_string(facet));
    std::vector<WrongField> wrong;
    if (!found.is_object()) {
        const boost::json::value whole(expected);
        wrong.push_back({.path = path, .expected = shown(&whole), .found = shown(&found)});
        return wrong;
    }
    const auto& members = found.get_object();
    if (facet != Facet::listing || !is_partial(members)) {
        compare_members(path, expected, members, wrong);
        return wrong;
    }
    auto of_a_search = expected;
    make_partial(of_a_search);
    compare_members(path, of_a_search, members, wrong);
    return wrong;
}

bool is_partial(const boost::json::object& listing) {
    return !listing.contains("appPrice") && !listing.contains("normalPrice");
}

void make_partial(boost::json::object& listing) {
    listing.erase("appPrice");
    listing.erase("normalPrice");
}

}  // namespace marketsim
