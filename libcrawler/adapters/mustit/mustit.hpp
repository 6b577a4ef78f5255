// The Mustit marketplace: asks it, as a browser on a phone would, and reads its answers, strictly. A listing page, a search page, a product's detail and its options become
// canonical facets; what changes from call to call without the product changing stays out.
//
// Every reader answers invalid, with the JSON pointer, the rule and what was found, for anything that is not what it knows:
//   /moduleList/1/data/sellingPrice: must be a positive price, found "무료"
// When an answer was fetched it does not say, nor a listing whose it is: `fetched_at` and the listing's `seller` are left to the
// caller. A missing price is never zero and a missing name never empty. Numbers and texts of digits are the same (621000, "621,000").
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/pick.hpp"
#include "domain/facet.hpp"
#include "ports/http_client.hpp"
#include "ports/marketplace.hpp"

namespace crawler::adapters {

struct MustitConfig {
    std::string base_url = "https://m.web.mustit.co.kr";  // http or https and a host, nothing behind it
    std::string accept_language = "ko-KR,ko;q=0.9";
    std::size_t max_body = 8'388'608;  // of an answer that is read
    codec::PickLimits limits = {};
    Duration longest_retry_after = std::chrono::hours{1};  // what a Retry-After is believed up to
};

// Slot::token is the value of the Cookie header that keeps a session. Every answer is read before it is taken. One with a good status
// that cannot be read, or is too long, counts as a passing fault (unavailable) in the first attempt of its task: a good one is a
// request away. Where a later attempt finds it so again it is believed (docs/adr/0025-a-spoilt-answer-is-asked-for-once-more.md): invalid, or,
// where it is the document that was asked for but for something in it, a page whose raw will be quarantined with the reason.
// Throws std::runtime_error where the base URL is none. The client must outlive it.
std::unique_ptr<ports::Marketplace> make_mustit_marketplace(MustitConfig config, ports::HttpClient& http);

}  // namespace crawler::adapters

namespace crawler::adapters::mustit {

struct ListingPage {
    std::int64_t announced = 0;  // how many items the whole listing has, as it says itself
    std::vector<Facet> facets;
};

struct SearchPage {
    std::optional<std::string> next_api_url;  // none: this is the last page
    std::vector<Facet> facets;
};

// Both yield the same facet, in the order of the answer; an item that is there twice is yielded twice:
//   appPrice brandName discountRate imageUrlList itemNo name normalPrice originalPrice price tags
// appPrice and normalPrice are optional; a search has neither, so its facets are partial. Images are a list, tags (the titles
// of tagList) a set: their order does not matter.
Result<ListingPage> read_listing(std::string_view body, codec::PickLimits limits = {});
Result<SearchPage> read_search(std::string_view body, codec::PickLimits limits = {});

// ProductInfoModule, ProductBannersModule, ShippingModule with its item SHIPPING and ProductDetailInfoModule, each exactly once and
// in any order, as one flat object. Optional are brandNameKr, the medium and the small category and averageDeliveryDay. The
// facet's seller is the sellerId it names: whether that is the one who was asked for is for the caller to say.
Result<Facet> read_detail(std::string_view body, codec::PickLimits limits = {});

// {"4134224619":{"color":"","size":"US 4","sizeGuide":"","stock":1},...}; [] becomes {}. An empty answer does not say whose options
// it lacks, so the item is the one that was asked for; an option of another item is invalid, as is the same option twice.
Result<Facet> read_options(std::string_view body, ItemNo item, codec::PickLimits limits = {});

}  // namespace crawler::adapters::mustit
