#include "answer_parts.hpp"

namespace marketsim {

std::string in_thousands(std::int64_t number) {
    auto text = std::to_string(number);
    for (auto at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
    return text;
}

std::string counted(std::string_view pattern, std::uint64_t end, Dice& dice) {
    std::string out;
    out.reserve(pattern.size() + 256);
    for (auto at = pattern.find('@'); at != std::string_view::npos; at = pattern.find('@')) {
        out.append(pattern.substr(0, at)).append(std::to_string(dice.below(end)));
        pattern.remove_prefix(at + 1);
    }
    return out.append(pattern);
}

void whole(JsonText& json, std::string_view name, std::int64_t value, Quirks quirks) {
    if (quirks.numbers_as_strings) {
        json.text(name, std::to_string(value));
    } else {
        json.number(name, value);
    }
}

void append_images(JsonText& json, std::string_view name, const Product& product, std::string_view size) {
    json.array(name);
    for (const auto& image : product.images) json.text(std::string(image).append(size));
    json.end_array();
}

void append_tags(JsonText& json, const Product& product) {
    json.array("tagList");
    for (const auto title : product.tags) {
        json.object().text("title", title).text("textColor", "#888888").text("bgColor", "#ffffff");
        json.text("borderColor", "#dddddd").end_object();
    }
    json.end_array();
}

std::string landing_url(const Product& product) {
    return "https://m.web.mustit.co.kr/v2/m/product/product_detail/" + std::to_string(product.item_no);
}

void append_category_ids(JsonText& json, const Product& product) {
    json.text("category_1_id", product.large.code);
    json.text("category_1_name", std::string(product.header.name).append(product.large.name));
    json.text("category_2_id", product.medium.code).text("category_2_name", product.medium.name);
    json.text("category_3_id", product.small.code);
    if (!product.small.code.empty()) json.text("category_3_name", product.small.name);
}

std::int64_t catalog_no(const Product& product) {
    return 110'000'000 + static_cast<std::int64_t>(Dice(static_cast<std::uint64_t>(product.item_no)).below(9'000'000));
}

bool is_lowest_price(const Product& product) {
    return catalog_no(product) % 3 != 0;
}

}  // namespace marketsim
