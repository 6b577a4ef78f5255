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

constexpr FacetKeys keys(std::to_array<std::string_view>({"appPrice", "brandName", "discountRate", "imageUrlList",
                                                          "itemNo", "name", "normalPrice", "originalPrice", "price",
                                                          "tags"}));
constexpr auto item_slot = keys.slot("itemNo");
constexpr auto document_slot = keys.size();  // the announced count, or where the next page is
constexpr auto all_slots = keys.size() + 1;

constexpr std::array image{Member{.rule = Rule::name}};
constexpr Shape images{.kind = Shape::Kind::list, .members = image, .slot = keys.slot("imageUrlList")};

constexpr std::array title{Member{.name = "title", .rule = Rule::name}};
constexpr Shape titled{.members = title};
constexpr std::array tag{Member{.inside = &titled}};
constexpr Shape tags{.kind = Shape::Kind::set, .members = tag, .slot = keys.slot("tags")};

constexpr std::array item_members{
    keys.member("itemNo", Rule::number),
    keys.member("name", Rule::name),
    keys.member("brandName", Rule::name),
    keys.member("price", Rule::price),
    keys.member("originalPrice", Rule::price),
    keys.member("normalPrice", Rule::price, Need::optional),
    keys.member("appPrice", Rule::price, Need::optional),
    keys.member("discountRate", Rule::percent),
    Member{.name = "imageUrlList", .inside = &images},
    Member{.name = "tagList", .inside = &tags},
};
constexpr Shape item{.members = item_members, .is_record = true};

constexpr std::array item_element{Member{.inside = &item}};
constexpr Shape items{.kind = Shape::Kind::array, .members = item_element};
constexpr std::array listing_members{
    Member{.name = "count", .rule = Rule::count, .slot = document_slot},
    Member{.name = "items", .inside = &items},
};
constexpr Shape listing{.members = listing_members};

constexpr std::array module_types{Member{.name = "SearchItemV2", .need = Need::repeated, .inside = &item}};
constexpr Shape module{.kind = Shape::Kind::tagged, .members = module_types};
constexpr std::array module_element{Member{.inside = &module}};
constexpr Shape modules{.kind = Shape::Kind::array, .members = module_element};
constexpr std::array search_members{
    Member{.name = "moduleList", .inside = &modules},
    Member{.name = "nextApiUrl", .need = Need::optional, .rule = Rule::text, .slot = document_slot},
};
constexpr Shape search{.members = search_members};

std::vector<Facet> facets_of(const codec::Picked& picked, bool partial) {
    std::vector<Facet> facets;
    facets.reserve(picked.size());
    codec::Sha256 hash;
    for (std::size_t i = 0; i < picked.size(); ++i) {
        const auto record = picked.record(i);
        auto text = facet_text(keys.names(), record);
        hash.add(text);
        facets.push_back({.item = record.number(item_slot),
                          .kind = FacetKind::listing,
                          .canonical = std::move(text),
                          .digest = hash.finish(),
                          .fetched_at = {},
                          .seller = std::nullopt,
                          .partial = partial});
    }
    return facets;
}

}  // namespace

Result<ListingPage> read_listing(std::string_view body, codec::PickLimits limits) {
    const auto picked = codec::pick({&listing, all_slots, keys.size()}, body, limits);
    if (!picked) return picked.error();
    return ListingPage{.announced = picked->document().number(document_slot), .facets = facets_of(*picked, false)};
}

Result<SearchPage> read_search(std::string_view body, codec::PickLimits limits) {
    const auto picked = codec::pick({&search, all_slots, keys.size()}, body, limits);
    if (!picked) return picked.error();
    SearchPage page{.next_api_url = std::nullopt, .facets = facets_of(*picked, true)};
    if (const auto url = picked->document()[document_slot]; !url.empty() && url != R"("")") {
        auto text = codec::unquoted(url);
        if (!text) return text.error();
        page.next_api_url = *std::move(text);
    }
    return page;
}

}  // namespace crawler::adapters::mustit
