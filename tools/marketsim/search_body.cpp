#include <algorithm>

#include "answer_parts.hpp"
#include "bodies.hpp"

namespace marketsim {
namespace {

constexpr std::size_t expected_item_size = 3200;
constexpr std::size_t own_between_others = 4;  // one in five belongs to somebody else

// All that a search finds, in order: the seller's own items, newest first, and others' between them.
class Finds {
  public:
    Finds(const Catalogue& catalogue, std::optional<int> seller) : catalogue_(catalogue) {
        if (!seller) return;
        seller_ = *seller;
        size_ = catalogue.live_count(seller_);
        for (int other = 0; other < catalogue.sellers(); ++other) {
            if (other != seller_ && catalogue.live_count(other) > 0) others_.push_back(other);
        }
        if (!others_.empty()) size_ += size_ / own_between_others;
    }

    std::size_t size() const { return size_; }

    ItemNo at(std::size_t position) const {
        if (others_.empty()) return catalogue_.page(seller_, position, 1).front();
        constexpr auto period = own_between_others + 1;
        const auto round = position / period;
        if (position % period != own_between_others) return catalogue_.page(seller_, position - round, 1).front();
        const auto other = others_[round % others_.size()];
        return catalogue_.page(other, round / others_.size() % catalogue_.live_count(other), 1).front();
    }

  private:
    const Catalogue& catalogue_;
    int seller_ = 0;
    std::size_t size_ = 0;
    std::vector<int> others_;
};

void append_amplitude(JsonText& json, const Product& product, std::size_t found, Dice& dice) {
    json.object("amplitudeInfo").text("eventType", "click_product_in_search_result").object("parameters");
    json.number("brand_id", product.brand_code).text("brand_name", product.brand);
    append_category_ids(json, product);
    json.number("product_id", product.item_no).text("product_name", product.name);
    json.number("list_price", product.normal_price).number("selling_price", product.selling_price);
    json.number("discount_price", product.discount_price).number("discount_rate", product.discount_rate);
    json.flag("is_lowest_price", is_lowest_price(product)).flag("is_price_comparison", true);
    json.number("catalog_id", catalog_no(product)).text("sorting_name", "머스트잇 랭킹순");
    json.number("product_count", static_cast<std::int64_t>(found + dice.below(50)));
    json.flag("is_filtered_lowest_price", true).end_object().end_object();
}

void append_link(JsonText& json, std::string_view kind, const Product& product, std::string_view link) {
    json.object(kind).number("item_id", product.item_no).text("item_name", product.name).text("link", link);
    json.text("AD_product", "N");
}

void append_ga4(JsonText& json, const Product& product, std::string_view link) {
    json.object("ga4Info");
    append_link(json, "SRP", product, link);
    json.end_object();
    append_link(json, "BLP", product, link);
    json.text("item_brand", std::to_string(product.brand_code).append("_").append(product.brand)).end_object();
    append_link(json, "LP", product, link);
    std::string path(product.header.code);
    path.append("_").append(product.large.code).append("_").append(product.medium.code);
    if (!product.small.code.empty()) path.append("_").append(product.small.code);
    json.text("category_id", path).text("item_category", product.header.name);
    json.text("item_category2", product.large.name).text("item_category3", product.medium.name);
    if (!product.small.code.empty()) json.text("item_category4", product.small.name);
    json.end_object().end_object();
}

std::string percent_encoded(std::string_view text) {
    constexpr std::string_view hexadecimal = "0123456789ABCDEF";
    constexpr std::string_view unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";
    std::string out;
    for (const char c : text) {
        if (unreserved.find(c) != std::string_view::npos) {
            out += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        out += '%';
        out += hexadecimal[byte >> 4U];
        out += hexadecimal[byte & 0xFU];
    }
    return out;
}

struct Place {
    std::string_view keyword;
    std::size_t found = 0;
    bool is_last = false;
};

void append_module(JsonText& json, const Product& product, const Place& place, Dice& dice, Quirks quirks) {
    const auto link = landing_url(product) + "?from_keyword=" + percent_encoded(place.keyword);
    json.object().text("type", "SearchItemV2").object("data");
    whole(json, "itemNo", product.item_no, quirks);
    append_images(json, "imageUrlList", product, listing_image_size);
    json.text("brandName", product.brand).number("brandCode", product.brand_code);
    json.text("shippingType", product.shipping_type).text("name", product.name);
    json.text("price", in_thousands(product.discount_price));
    json.text("originalPrice", in_thousands(product.normal_price));
    json.text("discountRate", std::to_string(product.discount_rate));
    append_tags(json, product);
    json.json("badgeList", "[]").text("landingUrl", link + "&isNewTab=Y");
    json.text("likeCount", std::to_string(dice.below(1000))).flag("likeStatus", dice.percent(5));
    json.text("reviewScore", std::to_string(dice.below(6))).flag("isLastItem", place.is_last);
    json.flag("isLowestPrice", is_lowest_price(product));
    json.number("catalogItemCount", dice.between(1, 60)).object("trackingInfo").text("eventType", "select_content");
    json.text("parameters", R"({"content_type":"click_item","item_id":"item_List"})").end_object();
    json.number("catalogNo", catalog_no(product)).text("catalogMainImageUrl", product.images.front());
    append_amplitude(json, product, place.found, dice);
    append_ga4(json, product, link);
    json.flag("isAd", false).end_object().end_object();
}

void append_tracking(JsonText& json, std::string_view first_items, std::string_view keyword) {
    std::string items = R"({"item_no":")";
    items.append(first_items).append(R"("})");
    std::string search = R"({"keyword":)";
    append_quoted(search, keyword);
    search.append(R"(,"search_date":"2025-12-20"})");
    json.array("trackingInfos").object().text("eventType", "rtb_house").text("parameters", items).end_object();
    json.object().text("eventType", "braze").text("parameters", search).end_object().end_array();
}

}  // namespace

std::string search_page_url(std::string_view keyword, std::size_t page) {
    return "/v1/search/items?keyword=" + percent_encoded(keyword) +
           "&sort=POPULAR2&f=us:NEW,lwp:Y&pageNo=" + std::to_string(page) + "&beforeItemType=Normal&previousIdx=0%2C0";
}

std::string search_body(const Catalogue& catalogue, std::string_view keyword, std::size_t page, std::uint64_t tick,
                        Quirks quirks) {
    const Finds finds(catalogue, catalogue.find_seller(keyword));
    const auto pages = (finds.size() + search_page_size - 1) / search_page_size;
    const auto begin =
        std::min(std::clamp<std::size_t>(page, 1, pages + 1) * search_page_size - search_page_size, finds.size());
    const auto end = std::min(begin + search_page_size, finds.size());
    Dice dice(tick);
    JsonText json(2048 + (end - begin) * expected_item_size);
    json.object();
    if (!quirks.missing_module) json.array("moduleList");
    std::string first_items;
    for (auto i = begin; i < end; ++i) {
        const auto item = finds.at(i);
        if (i < begin + 5) first_items.append(i == begin ? "" : ",").append(std::to_string(item));
        if (quirks.missing_module) continue;
        const Place place{.keyword = keyword, .found = finds.size(), .is_last = i + 1 == finds.size()};
        append_module(json, catalogue.product(item), place, dice, quirks);
    }
    if (!quirks.missing_module) json.end_array();
    json.text("nextApiUrl", end < finds.size() ? search_page_url(keyword, page + 1) : "");
    append_tracking(json, first_items, keyword);
    json.end_object();
    return json.take();
}

}  // namespace marketsim
