#include "answer_parts.hpp"
#include "bodies.hpp"
#include "seller_module.hpp"

namespace marketsim {
namespace {

constexpr std::string_view margin = R"({"type":"VerticalMargin","data":{"lineHeight":10,"backgroundColor":"#FAFAFA"}})";
constexpr std::string_view wide_margin =
    R"({"type":"VerticalMargin","data":{"lineHeight":24,"backgroundColor":"#ffffff"}})";
constexpr std::string_view exhibition =
    R"({"type":"SinglePromotionBannerModule","data":{"title":"기획전 바로가기",)"
    R"("imageUrl":"https://image.mustit.co.kr/lib/upload/admin/banner/pdp/1ca4b0d4410c387412da87011b56711d.png",)"
    R"("landingUrl":"https://m.web.mustit.co.kr/v2/m/promotion/exhibition/3927"}})";
constexpr std::string_view nobody =
    R"({"eid":null,"uid":null,"adid":null,"os":null,"osVersion":null,"model":null,"gender":null})";
constexpr std::string_view promotions =
    R"({"type":"PromotionBannerModule","data":[)"
    R"({"imageUrl":"https://image.mustit.co.kr/lib/upload/event/uploads/@.jpeg",)"
    R"("landingUrl":"https://m.mustit.co.kr/m/etc/event_view?number=308&click=product_detail"},)"
    R"({"imageUrl":"https://static-ux.mustit.co.kr/img/m/m_banner/middle_banner_@.jpg",)"
    R"("landingUrl":"https://m.web.mustit.co.kr/m/board/introduce_our_policies"}]})";
constexpr std::string_view tabs =
    R"({"type":"TabListModule","data":[{"type":"DETAIL","title":"상세정보"},)"
    R"({"type":"REVIEW","title":"리뷰","count":@},{"type":"INQUIRY","title":"문의","count":@}]})";
constexpr std::string_view seller_badge =
    "https://static-ux.mustit.co.kr/img/front/icon/seller/icon_seller_excellence.svg";

JsonText& begin_module(JsonText& json, std::string_view type) {
    return json.object().text("type", type).object("data");
}

void end_module(JsonText& json) {
    json.end_object().end_object();
}

void append_price(JsonText& json, std::string_view type, std::string_view name, std::int64_t price) {
    json.text("type", type).text("name", name).number("price", price);
}

void append_discounts(JsonText& json, const Product& product) {
    const auto reduction = product.selling_price - product.discount_price;
    json.object("discountDetails").array("prices").object();
    append_price(json, "NORMAL", "정상가", product.normal_price);
    json.end_object().object();
    append_price(json, "DISCOUNT_PRICE", "할인가", product.selling_price);
    json.end_object().end_array().array("discounts").object();
    append_price(json, "ACCOUNT", "회원할인", reduction);
    json.flag("isAccountGroup", false).end_object().object();
    append_price(json, "DPS_DISCOUNT", "스페셜 쿠폰", reduction);
    json.flag("isAccountGroup", true).end_object().end_array().object("total");
    append_price(json, "ACCOUNT", "최대혜택가", product.discount_price);
    json.end_object().end_object();
}

void append_names(JsonText& json, const Product& product, Quirks quirks) {
    whole(json, "sellerNo", Catalogue::seller_no(product.seller), quirks);
    json.text("sellerId", Catalogue::seller_id(product.seller));
    whole(json, "itemNo", product.item_no, quirks);
    json.text("itemName", product.name).text("brandName", product.brand);
    if (!product.brand_kr.empty()) json.text("brandNameKr", product.brand_kr);
    whole(json, "brandCode", product.brand_code, quirks);
    json.text("headerCategoryCode", product.header.code).text("headerCategory", product.header.name);
    json.text("largeCategoryCode", product.large.code).text("largeCategory", product.large.name);
    json.text("mediumCategoryCode", product.medium.code).text("mediumCategory", product.medium.name);
    if (product.small.code.empty()) return;
    json.text("smallCategoryCode", product.small.code).text("smallCategory", product.small.name);
}

void append_info(JsonText& json, const Product& product, std::int64_t compared, Quirks quirks) {
    begin_module(json, "ProductInfoModule");
    append_names(json, product, quirks);
    whole(json, "normalPrice", product.normal_price, quirks);
    whole(json, "discountRate", product.discount_rate, quirks);
    whole(json, "sellingPrice", product.selling_price, quirks);
    whole(json, "discountPrice", product.discount_price, quirks);
    json.flag("isBoutiqueItem", false).flag("isSoldOut", product.is_sold_out());
    whole(json, "stock", product.stock, quirks);
    json.object("userDiscountInfo").flag("dpsDiscount", false).number("purchasePrice", product.discount_price);
    json.flag("isLike", false).end_object().json("badgeList", "[]");
    append_discounts(json, product);
    json.number("catalogId", catalog_no(product)).number("countPriceComparison", compared);
    json.flag("isPriceComparison", true).flag("isLowestPrice", is_lowest_price(product));
    end_module(json);
}

void append_benefits(JsonText& json, const Product& product, Dice& dice) {
    begin_module(json, "PurchaseBenefitModule").text("title", "혜택안내").array("items");
    json.object().text("type", "REWARD").object("data").number("point", dice.between(10, 50) * 100);
    json.end_object().end_object().object().text("type", "INTEREST_FREE").object("data");
    json.number("interestMaxMonth", 6).number("Installment", product.discount_price / 6).end_object().end_object();
    json.json(R"({"type":"AS","data":{"isAfterService":true}})").end_array();
    end_module(json);
}

void append_shipping(JsonText& json, const Product& product, Quirks quirks) {
    begin_module(json, "ShippingModule").text("title", "배송정보").array("items");
    json.object().text("type", "SHIPPING").object("data").text("shippingType", product.shipping_type);
    whole(json, "shippingFee", product.shipping_fee, quirks);
    json.text("shippingFeeType", product.shipping_fee_type()).flag("isEachShippingFee", product.shipping_fee > 0);
    json.flag("isDirectShipping", product.is_overseas()).flag("isCustomsDuty", product.is_overseas());
    if (product.delivery_days > 0) {
        const auto took = std::to_string(product.delivery_days) + "일 소요";
        json.object("averageDeliveryDay").text("text", "평균 배송 " + took).text("focusText", took).end_object();
    }
    json.end_object().end_object().end_array();
    end_module(json);
}

void append_offer(JsonText& json, const Product& product) {
    const auto price = std::to_string(product.discount_price);
    json.object().number("itemNo", product.item_no).text("sellerId", Catalogue::seller_id(product.seller));
    json.flag("isLowestPrice", is_lowest_price(product)).text("sellPrice", price).text("sellPriceWeb", price);
    json.text("usedStatus", "").text("shippingType", product.is_overseas() ? "해외배송" : "국내배송");
    json.text("shippingFee", product.shipping_fee == 0 ? "무료" : in_thousands(product.shipping_fee) + "원");
    json.flag("isTariff", product.is_overseas()).json("tagList", "[]").text("sellerBadgeUrl", seller_badge);
    json.flag("isFocusItem", true).object("amplitudeInfo").text("eventType", "click_price_comparison_product");
    json.object("parameters").number("brand_id", product.brand_code).text("brand_name", product.brand);
    append_category_ids(json, product);
    json.number("product_id", product.item_no).text("product_name", product.name);
    json.number("discount_price", product.discount_price).number("discount_rate", product.discount_rate);
    json.flag("is_lowest_price", is_lowest_price(product)).end_object().end_object().end_object();
}

void append_comparison(JsonText& json, const Product& product, std::string_view kind, std::int64_t compared) {
    json.object(kind).text("title", "가격비교").number("count", compared).flag("isSelectedFreeShipping", false);
    json.flag("isRegisteredLowestAlarm", false).number("catalogNo", catalog_no(product)).array("items");
    if (compared > 0) append_offer(json, product);
    json.end_array().text("landingUrl", "").end_object();
}

void append_lazy_component(JsonText& json, const Product& product) {
    std::string url = "/v1/ai-recommendation/moloco/item/" + std::to_string(product.item_no);
    url.append("?headerCategory=").append(product.header.code).append("&largeCategory=").append(product.large.code);
    url.append("&mediumCategory=").append(product.medium.code);
    begin_module(json, "LazyComponent").json("params", nobody).text("method", "GET").text("url", url);
    end_module(json);
}

void append_description(JsonText& json, const Product& product, Quirks quirks) {
    begin_module(json, "ProductDetailInfoModule").text("title", "상세정보");
    whole(json, "itemNo", product.item_no, quirks);
    json.text("itemStatus", product.item_status).text("originCountry", product.origin_country);
    json.text("shippingLocation", product.shipping_location).json("sellerEvaluations", "[]");
    json.json("warningTextSellerStatus", "[]").text("descriptionMarkUp", product.description);
    end_module(json);
}

void append_modules(JsonText& json, const Product& product, std::uint64_t tick, Quirks quirks) {
    Dice dice(tick, static_cast<std::uint64_t>(product.item_no));
    const auto compared = dice.between(1, 40);
    begin_module(json, "ProductBannersModule");
    append_images(json, "images", product, detail_image_size);
    json.json("timesales", "[]");
    end_module(json);
    if (!quirks.missing_module) append_info(json, product, compared, quirks);
    begin_module(json, "NonMemberBannerModule");
    json.text("landingUrl",
              "https://m.web.mustit.co.kr/m/member/login?redirect="
              "https%3A%2F%2Fm.web.mustit.co.kr%2Fv2%2Fm%2Fproduct%2Fproduct_detail%2F" +
                  std::to_string(product.item_no));
    end_module(json);
    json.json(margin);
    append_benefits(json, product, dice);
    append_shipping(json, product, quirks);
    json.json(margin);
    append_seller_module(json, Catalogue::seller_no(product.seller), tick, dice);
    begin_module(json, "CatalogModule");
    append_comparison(json, product, "NEW", compared);
    append_comparison(json, product, "USED", 0);
    end_module(json);
    json.json(counted(promotions, 1'000'000'000, dice)).json(wide_margin);
    append_lazy_component(json, product);
    json.json(margin).json(exhibition).json(margin).json(counted(tabs, 500, dice));
    append_description(json, product, quirks);
    json.json(margin);
}

}  // namespace

std::string detail_body(const Product& product, std::uint64_t tick, Quirks quirks) {
    JsonText json(10'000 + product.description.size() + product.description.size() / 8);
    json.object().array("moduleList");
    append_modules(json, product, tick, quirks);
    json.end_array().object("bottom").text("freeGift", "");
    json.number("likeCount", static_cast<std::int64_t>(tick % 10'000)).flag("isLike", false);
    json.flag("hasLowestOtherProduct", !is_lowest_price(product)).end_object();
    json.text("nextApiUrl", "/v1/item/" + std::to_string(product.item_no) +
                                "/detail/bottom?sellerId=" + Catalogue::seller_id(product.seller) +
                                "&catalogNo=" + std::to_string(catalog_no(product)));
    json.end_object();
    return json.take();
}

}  // namespace marketsim
