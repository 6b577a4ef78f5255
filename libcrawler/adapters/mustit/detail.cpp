#include "adapters/mustit/facet_table.hpp"
#include "adapters/mustit/mustit.hpp"
#include "codec/canonical.hpp"
#include "codec/sha256.hpp"

namespace crawler::adapters::mustit {
namespace {

using codec::Member;
using codec::Need;
using codec::Rule;
using codec::Shape;

constexpr FacetKeys keys(std::to_array<std::string_view>({"averageDeliveryDay",
                                                          "brandCode",
                                                          "brandName",
                                                          "brandNameKr",
                                                          "descriptionMarkUp",
                                                          "discountPrice",
                                                          "discountRate",
                                                          "headerCategory",
                                                          "headerCategoryCode",
                                                          "images",
                                                          "isCustomsDuty",
                                                          "isDirectShipping",
                                                          "isEachShippingFee",
                                                          "isSoldOut",
                                                          "itemName",
                                                          "itemNo",
                                                          "itemStatus",
                                                          "largeCategory",
                                                          "largeCategoryCode",
                                                          "mediumCategory",
                                                          "mediumCategoryCode",
                                                          "normalPrice",
                                                          "originCountry",
                                                          "sellerId",
                                                          "sellerNo",
                                                          "sellingPrice",
                                                          "shippingFee",
                                                          "shippingFeeType",
                                                          "shippingLocation",
                                                          "shippingType",
                                                          "smallCategory",
                                                          "smallCategoryCode",
                                                          "stock"}));
constexpr auto described_item_slot = keys.size();  // the itemNo of ProductDetailInfoModule: checked, not kept
constexpr auto all_slots = keys.size() + 1;

constexpr std::array info_members{
    keys.member("sellerNo", Rule::number),
    keys.member("sellerId", Rule::name),
    keys.member("itemNo", Rule::number),
    keys.member("itemName", Rule::name),
    keys.member("brandName", Rule::name),
    keys.member("brandNameKr", Rule::text, Need::optional),
    keys.member("brandCode", Rule::number),
    keys.member("headerCategoryCode", Rule::name),
    keys.member("headerCategory", Rule::name),
    keys.member("largeCategoryCode", Rule::name),
    keys.member("largeCategory", Rule::name),
    keys.member("mediumCategoryCode", Rule::text, Need::optional),
    keys.member("mediumCategory", Rule::text, Need::optional),
    keys.member("smallCategoryCode", Rule::text, Need::optional),
    keys.member("smallCategory", Rule::text, Need::optional),
    keys.member("normalPrice", Rule::price),
    keys.member("sellingPrice", Rule::price),
    keys.member("discountPrice", Rule::price),
    keys.member("discountRate", Rule::percent),
    keys.member("stock", Rule::count),
    keys.member("isSoldOut", Rule::flag),
};
constexpr Shape info{.members = info_members};

constexpr std::array image{Member{.rule = Rule::name}};
constexpr Shape images{.kind = Shape::Kind::list, .members = image, .slot = keys.slot("images")};
constexpr std::array banner_members{Member{.name = "images", .inside = &images}};
constexpr Shape banners{.members = banner_members};

constexpr std::array delivery_members{
    Member{.name = "text", .rule = Rule::text, .slot = keys.slot("averageDeliveryDay")}};
constexpr Shape delivery{.members = delivery_members};
constexpr std::array parcel_members{
    keys.member("shippingType", Rule::name),
    keys.member("shippingFee", Rule::count),  // free is a fee of zero, not a missing one
    keys.member("shippingFeeType", Rule::name),
    keys.member("isEachShippingFee", Rule::flag),
    keys.member("isDirectShipping", Rule::flag),
    keys.member("isCustomsDuty", Rule::flag),
    Member{.name = "averageDeliveryDay", .need = Need::optional, .inside = &delivery},
};
constexpr Shape parcel{.members = parcel_members};
constexpr std::array shipping_types{Member{.name = "SHIPPING", .inside = &parcel}};
constexpr Shape shipping_item{.kind = Shape::Kind::tagged, .members = shipping_types};
constexpr std::array shipping_element{Member{.inside = &shipping_item}};
constexpr Shape shipping_items{.kind = Shape::Kind::array, .members = shipping_element};
constexpr std::array shipping_members{Member{.name = "items", .inside = &shipping_items}};
constexpr Shape shipping{.members = shipping_members};

constexpr std::array description_members{
    Member{.name = "itemNo", .rule = Rule::number, .slot = described_item_slot},
    keys.member("itemStatus", Rule::text),
    keys.member("originCountry", Rule::text),
    keys.member("shippingLocation", Rule::text),
    keys.member("descriptionMarkUp", Rule::text),
};
constexpr Shape description{.members = description_members};

constexpr std::array module_types{
    Member{.name = "ProductInfoModule", .inside = &info},
    Member{.name = "ProductBannersModule", .inside = &banners},
    Member{.name = "ShippingModule", .inside = &shipping},
    Member{.name = "ProductDetailInfoModule", .inside = &description},
};
constexpr Shape module{.kind = Shape::Kind::tagged, .members = module_types};
constexpr std::array module_element{Member{.inside = &module}};
constexpr Shape modules{.kind = Shape::Kind::array, .members = module_element};
constexpr std::array answer_members{Member{.name = "moduleList", .inside = &modules}};
constexpr Shape answer{.members = answer_members};

}  // namespace

Result<Facet> read_detail(std::string_view body, codec::PickLimits limits) {
    const auto picked = codec::pick({.root = &answer, .slots = all_slots}, body, limits);
    if (!picked) return picked.error();
    const auto values = picked->document();
    const auto item = values.number(keys.slot("itemNo"));
    if (item != values.number(described_item_slot))
        return Error{Errc::invalid,
                     "/moduleList: itemNo must be the same in ProductInfoModule and ProductDetailInfoModule, "
                     "found " +
                         std::string(values[keys.slot("itemNo")]) + " and " + std::string(values[described_item_slot])};
    auto named = codec::unquoted(values[keys.slot("sellerId")]);
    if (!named) return named.error();
    auto seller = SellerId::parse(*std::move(named));
    if (!seller) return Error{Errc::invalid, "/moduleList: " + seller.error().detail};

    Facet facet{.item = item,
                .kind = FacetKind::detail,
                .canonical = facet_text(keys.names(), values),
                .digest = {},
                .seller = *std::move(seller)};
    facet.digest = codec::sha256(facet.canonical);
    return facet;
}

}  // namespace crawler::adapters::mustit
