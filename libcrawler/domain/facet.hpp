// What one answer of the marketplace says about one product. Listing, detail and option answers come separately and in any
// order; the codec makes facets of them, Product puts them together.
#pragma once
#include <optional>
#include <string>

#include "domain/digest.hpp"
#include "domain/field_diff.hpp"
#include "domain/ids.hpp"
#include "domain/seller.hpp"

namespace crawler {

enum class FacetKind { listing, detail, option };
constexpr auto names(FacetKind) {
    return std::to_array<EnumName<FacetKind>>(
        {{FacetKind::listing, "LISTING"}, {FacetKind::detail, "DETAIL"}, {FacetKind::option, "OPTION"}});
}

// Where the fields of a facet stand among those of the product.
constexpr std::string_view path_of(FacetKind kind) {
    switch (kind) {
        case FacetKind::listing:
            return "/listing";
        case FacetKind::detail:
            return "/detail";
        case FacetKind::option:
            break;
    }
    return "/option";
}

struct Facet {
    ItemNo item = 0;
    FacetKind kind = FacetKind::listing;
    std::string canonical;  // a JSON object in canonical form; the answer "no options" is one like any other
    Digest digest;          // of `canonical`
    TimePoint fetched_at;
    // Whose item it is, where the answer says so: a detail names its seller, a seller's own listing is his. Options and search
    // results say nothing.
    std::optional<SellerId> seller = std::nullopt;
    // Says less than the facet's own answer would: a search result lacks some prices. It stands in until the whole comes, whenever
    // that was fetched, and never replaces it: what was not said did not change.
    bool partial = false;

    friend bool operator==(const Facet&, const Facet&) = default;
};

// How two canonical texts differ; no text stands for a facet that is not there. The codec knows, the domain reads no JSON.
// invalid: one of them is not canonical.
using DiffFacets = Result<FieldDiff> (*)(std::string_view before, std::string_view after);

}  // namespace crawler
