#include "domain/product.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

using namespace crawler;
using namespace std::chrono_literals;

namespace {

const TimePoint t0{std::chrono::hours{1000}};

Product a_product() {
    return Product::discover(4711, *SellerId::parse("shop-1"));
}

Facet a_facet(FacetKind kind, const std::string& digest, TimePoint fetched_at) {
    return {.item = 4711, .kind = kind, .canonical = digest, .digest = digest, .fetched_at = fetched_at};
}

const KnownFacet& known(const Product& product, FacetKind kind) {
    return *product.state().facets[static_cast<std::size_t>(kind)];
}

}  // namespace

TEST_CASE("product: the first answer about a facet is a change") {
    auto product = a_product();

    CHECK(product.absorb(a_facet(FacetKind::detail, "a", t0)));

    CHECK(product.state().version == 1);
    CHECK(known(product, FacetKind::detail).digest == "a");
    CHECK(known(product, FacetKind::detail).version == 1);
    CHECK(known(product, FacetKind::detail).fetched_at == t0);
}

TEST_CASE("product: the same content fetched later is no change, but is remembered as fresh") {
    auto product = a_product();
    product.absorb(a_facet(FacetKind::detail, "a", t0));

    CHECK_FALSE(product.absorb(a_facet(FacetKind::detail, "a", t0 + 1s)));

    CHECK(product.state().version == 1);
    CHECK(known(product, FacetKind::detail).version == 1);
    CHECK(known(product, FacetKind::detail).fetched_at == t0 + 1s);
}

TEST_CASE("product: new content counts up the facet and the product") {
    auto product = a_product();
    product.absorb(a_facet(FacetKind::detail, "a", t0));
    product.absorb(a_facet(FacetKind::option, "o", t0));

    CHECK(product.absorb(a_facet(FacetKind::detail, "b", t0 + 1s)));

    CHECK(product.state().version == 3);
    CHECK(known(product, FacetKind::detail).version == 2);
    CHECK(known(product, FacetKind::option).version == 1);
}

TEST_CASE("product: an older fetch never overwrites a newer one, and the same fetch is taken once") {
    auto product = a_product();
    product.absorb(a_facet(FacetKind::detail, "new", t0));

    CHECK_FALSE(product.absorb(a_facet(FacetKind::detail, "old", t0 - 1us)));
    CHECK_FALSE(product.absorb(a_facet(FacetKind::detail, "other", t0)));

    CHECK(known(product, FacetKind::detail).digest == "new");
    CHECK(known(product, FacetKind::detail).fetched_at == t0);
    CHECK(product.state().version == 1);
}

TEST_CASE("product: facets may come in any order and end in the same content") {
    std::vector<Facet> facets{a_facet(FacetKind::listing, "l1", t0), a_facet(FacetKind::listing, "l2", t0 + 1s),
                              a_facet(FacetKind::detail, "d", t0 + 2s), a_facet(FacetKind::option, "o", t0 + 3s)};
    std::ranges::sort(facets, {}, &Facet::digest);
    do {
        auto product = a_product();
        for (const auto& facet : facets) product.absorb(facet);

        CHECK(known(product, FacetKind::listing).digest == "l2");
        CHECK(known(product, FacetKind::detail).digest == "d");
        CHECK(known(product, FacetKind::option).digest == "o");
    } while (std::ranges::next_permutation(facets, {}, &Facet::digest).found);
}

TEST_CASE("product: it is complete when all three facets are there, empty ones included") {
    auto product = a_product();
    CHECK_FALSE(product.is_complete());
    product.absorb(a_facet(FacetKind::listing, "l", t0));
    product.absorb(a_facet(FacetKind::detail, "d", t0));
    CHECK_FALSE(product.is_complete());

    product.absorb(a_facet(FacetKind::option, "", t0));

    CHECK(product.is_complete());
}
