// A product as we know it: three facets and the evidence that it is there, merged so that the order in which answers are
// worked in never matters. Used by product-sync.
#pragma once
#include <array>

#include "domain/facet.hpp"
#include "domain/product_event.hpp"
#include "domain/state_table.hpp"

namespace crawler {

enum class ProductStatus { incomplete, live, deleted };
constexpr auto names(ProductStatus) {
    return std::to_array<EnumName<ProductStatus>>({{ProductStatus::incomplete, "INCOMPLETE"},
                                                   {ProductStatus::live, "LIVE"},
                                                   {ProductStatus::deleted, "DELETED"}});
}

enum class ProductVerb { describe, miss, lose };
constexpr auto names(ProductVerb) {
    return std::to_array<EnumName<ProductVerb>>(
        {{ProductVerb::describe, "describe"}, {ProductVerb::miss, "miss"}, {ProductVerb::lose, "lose"}});
}

// Facts are never refused for the status; what the table rules out is where they may lead.
inline constexpr StateTable product_table{
    "Product", ProductStatus::incomplete,
    std::to_array<Transition<ProductStatus, ProductVerb>>({
        {ProductStatus::incomplete, ProductVerb::describe, ProductStatus::incomplete, "a facet is still missing"},
        {ProductStatus::incomplete, ProductVerb::describe, ProductStatus::live, "it was the last facet missing"},
        {ProductStatus::incomplete, ProductVerb::miss, ProductStatus::incomplete, "once since it was listed"},
        {ProductStatus::incomplete, ProductVerb::miss, ProductStatus::deleted, "twice since it was listed"},
        {ProductStatus::incomplete, ProductVerb::lose, ProductStatus::incomplete, "its detail was fetched since"},
        {ProductStatus::incomplete, ProductVerb::lose, ProductStatus::deleted, "its detail was not fetched since"},
        {ProductStatus::live, ProductVerb::describe, ProductStatus::live},
        {ProductStatus::live, ProductVerb::miss, ProductStatus::live, "once since it was listed"},
        {ProductStatus::live, ProductVerb::miss, ProductStatus::deleted, "twice since it was listed"},
        {ProductStatus::live, ProductVerb::lose, ProductStatus::live, "its detail was fetched since"},
        {ProductStatus::live, ProductVerb::lose, ProductStatus::deleted, "its detail was not fetched since"},
        {ProductStatus::deleted, ProductVerb::describe, ProductStatus::deleted, "not by what lost it"},
        {ProductStatus::deleted, ProductVerb::describe, ProductStatus::live, "what lost it sees it again"},
        {ProductStatus::deleted, ProductVerb::describe, ProductStatus::incomplete, "seen again, a facet is missing"},
        {ProductStatus::deleted, ProductVerb::miss, ProductStatus::deleted},
        {ProductStatus::deleted, ProductVerb::lose, ProductStatus::deleted},
    })};

// What we keep of the latest answer about one facet.
struct KnownFacet {
    Digest digest;
    std::int64_t version = 0;  // counts its real changes
    TimePoint fetched_at;
    std::string canonical;
    bool partial = false;

    friend bool operator==(const KnownFacet&, const KnownFacet&) = default;
};

// How we know whose item it is: an answer to that seller's own crawl outweighs what another's came across; then the later holds.
struct Naming {
    bool own = false;
    TimePoint at;
    friend auto operator<=>(const Naming&, const Naming&) = default;
};

// What became of one fact.
struct Absorbed {
    bool taken = false;                 // something of it is new, so the product must be saved
    bool changed = false;               // the facet's content or the status; the version counts it
    FieldDiff diff = {};                // of the facet, its path in front
    std::optional<ProductEvent> event;  // what the product server has to hear
};

class Product {
  public:
    struct State {
        ItemNo item = 0;
        SellerId seller;  // until an answer names him: whose crawl found it
        std::optional<Naming> named;
        std::array<std::optional<KnownFacet>, 3> facets;  // by FacetKind
        // What speaks against the product: the two newest complete listings without it, newest first, and the newest
        // "gone" in answer to its detail. What speaks for it is when its listing and its detail were last fetched.
        std::array<std::optional<TimePoint>, 2> missing_at;
        std::optional<TimePoint> gone_at;
        std::int64_t version = 0;  // counts real changes; what the product server orders by
        TimePoint created_at;
        TimePoint updated_at;       // of the last real change
        std::int64_t revision = 0;  // counts saves

        friend bool operator==(const State&, const State&) = default;
    };

    static Product discover(ItemNo item, SellerId seller, TimePoint now);
    static Product restore(State state) { return Product(std::move(state)); }

    // Each fact is taken in whole or not at all; invalid also where `diff` says so.
    // The facet of an answer to its seller's crawl, unless a later fetch is known. invalid: it is about another item.
    Result<Absorbed> absorb(const Facet& facet, DiffFacets diff, TimePoint now);
    // An answer to another seller's crawl, which is not taken, says whose item it is. True: that is news.
    bool name_seller(const SellerId& seller, TimePoint fetched_at);
    // A complete listing that began at `listed_at` does not have it. The same listing told twice counts once.
    Result<Absorbed> missing_from_listing(TimePoint listed_at, DiffFacets diff, TimePoint now);
    // Its detail was answered with 404 or 410.
    Result<Absorbed> gone(TimePoint fetched_at, DiffFacets diff, TimePoint now);

    ProductStatus status() const;
    bool is_complete() const;
    bool is_deleted() const { return status() == ProductStatus::deleted; }
    const std::optional<KnownFacet>& facet(FacetKind kind) const {
        return state_.facets[static_cast<std::size_t>(kind)];
    }
    const State& state() const { return state_; }

  private:
    explicit Product(State state) : state_(std::move(state)) {}
    Result<Absorbed> settle(State next, ProductVerb verb, ProductEventReason reason, Absorbed absorbed, DiffFacets diff,
                            TimePoint now);
    State state_;
};

}  // namespace crawler
