#include <algorithm>

#include "answer_parts.hpp"
#include "bodies.hpp"

namespace marketsim {
namespace {

constexpr std::size_t expected_item_size = 1300;

// What the real thing counts over the whole catalogue; '@' is a count.
constexpr std::string_view groups =
    R"({"headerCategoryGroupResult":[{"headerCategoryCode":"M","headerCategoryName":"남성","categoryCount":@},)"
    R"({"headerCategoryCode":"W","headerCategoryName":"여성","categoryCount":@},)"
    R"({"headerCategoryCode":"K","headerCategoryName":"키즈","categoryCount":@}],)"
    R"("largeCategoryGroupResult":[{"headerCategoryCode":"M","headerCategoryName":"남성",)"
    R"("largeCategoryCode":"15","largeCategoryName":"의류","categoryCount":@},)"
    R"({"headerCategoryCode":"W","headerCategoryName":"여성",)"
    R"("largeCategoryCode":"15","largeCategoryName":"의류","categoryCount":@}],)"
    R"("mediumCategoryGroupResult":[{"headerCategoryCode":"M","headerCategoryName":"남성",)"
    R"("largeCategoryCode":"15","largeCategoryName":"의류",)"
    R"("mediumCategoryCode":"15r02","mediumCategoryName":"탑","categoryCount":@}],)"
    R"("smallCategoryGroupResult":[{"headerCategoryCode":"M","headerCategoryName":"남성",)"
    R"("largeCategoryCode":"15","largeCategoryName":"의류",)"
    R"("mediumCategoryCode":"15r02","mediumCategoryName":"탑",)"
    R"("smallCategoryCode":"15r02r01","smallCategoryName":"티셔츠","categoryCount":@}],)"
    R"("brandGroupResult":[{"brandCode":106,"brandName":"Moncler","brandNameKor":"몽클레르","brandCount":@},)"
    R"({"brandCode":133,"brandName":"STONE ISLAND","brandNameKor":"스톤 아일랜드","brandCount":@},)"
    R"({"brandCode":25,"brandName":"BURBERRY","brandNameKor":"버버리","brandCount":@}],)"
    R"("priceRangeResult":[{"startPrice":20000,"endPrice":99999},{"startPrice":100000,"endPrice":199999},)"
    R"({"startPrice":200000,"endPrice":299999}],)"
    R"("colorCodeResult":[{"imgColorCode":"GRAY","imgColorCodeCount":@},)"
    R"({"imgColorCode":"BLACK","imgColorCodeCount":@},{"imgColorCode":"NAVY","imgColorCodeCount":@}],)"
    R"("recommendKeywordGroupResult":[{"keyword":"반팔","count":@},{"keyword":"슬림","count":@}],)"
    R"("usedStatusGroupResult":[{"usedStatus":"NEW","count":@},{"usedStatus":"USED","count":@}]})";

void append_item(JsonText& json, const Product& product, std::size_t place, Dice& dice, Quirks quirks) {
    const auto price = in_thousands(product.discount_price);
    const auto normal = in_thousands(product.normal_price);
    const auto rate = std::to_string(product.discount_rate);

    json.object();
    whole(json, "itemNo", product.item_no, quirks);
    append_images(json, "imageUrlList", product, listing_image_size);
    json.text("brandName", product.brand).text("landingUrl", landing_url(product)).text("name", product.name);
    json.text("price", price);
    append_tags(json, product);
    json.text("originalPrice", normal).text("normalPrice", normal).text("discountRate", rate);
    json.flag("likeStatus", dice.percent(5)).text("appDiscountRate", rate).text("appPrice", price);
    json.text("likeImageUrl", place == 0 ? "https://static-ux.mustit.co.kr/img/m/m_icon/icon_zzim_on.png" : "");
    json.text("webSpacingInfo", place % 2 == 0 ? "odd" : "even").end_object();
}

}  // namespace

std::string listing_body(const Catalogue& catalogue, int seller, std::size_t page, std::uint64_t tick, Quirks quirks) {
    const auto page_past_all = catalogue.live_count(seller) / listing_page_size + 1;
    const auto items = catalogue.page(seller, std::min(page, page_past_all) * listing_page_size, listing_page_size);
    Dice dice(tick);
    JsonText json(4096 + items.size() * expected_item_size);
    json.object();
    whole(json, "count", static_cast<std::int64_t>(catalogue.live_count(seller)), quirks);
    json.text("indexName", "item-idx-a").json("groupResult", counted(groups, 4000, dice));
    if (!quirks.missing_module) {
        json.array("items");
        for (std::size_t i = 0; i < items.size(); ++i) append_item(json, catalogue.product(items[i]), i, dice, quirks);
        json.end_array();
    }
    json.end_object();
    return json.take();
}

}  // namespace marketsim
