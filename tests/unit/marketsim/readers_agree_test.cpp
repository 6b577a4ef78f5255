// The judge and the product, which share no code, mean the same by a facet.
#include <boost/json.hpp>
#include <catch2/catch_test_macros.hpp>

#include "adapters/mustit/mustit.hpp"
#include "bodies.hpp"
#include "expectation.hpp"

using namespace marketsim;
namespace mustit = crawler::adapters::mustit;

namespace {

template <typename T>
T read(crawler::Result<T> result) {
    if (!result) FAIL(result.error().detail);
    return *std::move(result);
}

void check_agree(const Product& product, Facet facet, const crawler::Facet& found) {
    INFO(product.item_no << " " << to_string(facet));
    CHECK(found.item == product.item_no);
    for (const auto& wrong : differences(facet, expected_facet(product, facet), boost::json::parse(found.canonical))) {
        FAIL_CHECK(wrong.path << ": expected " << wrong.expected << ", found " << wrong.found);
    }
}

void check_own_answers(const Product& product, std::uint64_t tick, Quirks quirks) {
    const auto detail = read(mustit::read_detail(detail_body(product, tick, quirks)));
    check_agree(product, Facet::detail, detail);
    REQUIRE(detail.seller);
    CHECK(detail.seller->value() == Catalogue::seller_id(product.seller));
    check_agree(product, Facet::option, read(mustit::read_options(options_body(product, quirks), product.item_no)));
}

std::size_t check_listing(const Catalogue& catalogue, int seller, Quirks quirks) {
    std::size_t listed = 0;
    for (std::size_t page = 0; page * listing_page_size < catalogue.live_count(seller); ++page) {
        const auto read_page = read(mustit::read_listing(listing_body(catalogue, seller, page, page, quirks)));
        CHECK(read_page.announced == static_cast<std::int64_t>(catalogue.live_count(seller)));
        for (const auto& facet : read_page.facets) check_agree(catalogue.product(facet.item), Facet::listing, facet);
        listed += read_page.facets.size();
    }
    return listed;
}

std::size_t check_search(const Catalogue& catalogue, int seller, Quirks quirks) {
    const auto keyword = Catalogue::seller_id(seller);
    std::size_t own = 0;
    for (std::size_t page = 1;; ++page) {
        const auto read_page = read(mustit::read_search(search_body(catalogue, keyword, page, page, quirks)));
        for (const auto& facet : read_page.facets) {
            check_agree(catalogue.product(facet.item), Facet::listing, facet);
            own += catalogue.seller_of(facet.item) == seller ? 1U : 0U;
        }
        if (!read_page.next_api_url) return own;
        CHECK(*read_page.next_api_url == search_page_url(keyword, page + 1));
    }
}

void check_world(const Catalogue& catalogue, Quirks quirks) {
    for (int seller = 0; seller < catalogue.sellers(); ++seller) {
        CHECK(check_listing(catalogue, seller, quirks) == catalogue.live_count(seller));
        CHECK(check_search(catalogue, seller, quirks) == catalogue.live_count(seller));
        for (const auto item : catalogue.page(seller, 0, catalogue.live_count(seller)))
            check_own_answers(catalogue.product(item), static_cast<std::uint64_t>(item), quirks);
    }
}

}  // namespace

TEST_CASE("readers agree: what is read of a product is what is expected of it") {
    const Catalogue catalogue({.seed = 21, .sellers = 2, .products = 200});

    check_world(catalogue, {});
}

TEST_CASE("readers agree: after changes of every kind as well") {
    Catalogue catalogue({.seed = 22, .sellers = 2, .products = 120});

    for (const auto kind : {ChangeKind::price, ChangeKind::stock, ChangeKind::options, ChangeKind::images,
                            ChangeKind::description, ChangeKind::add, ChangeKind::remove, ChangeKind::restore}) {
        catalogue.apply({.kind = kind, .per_mille = 500}, SimTime(1));
        check_world(catalogue, {});
    }
}

TEST_CASE("readers agree: numbers as texts are the same numbers") {
    const Catalogue catalogue({.seed = 23, .sellers = 2, .products = 100});

    check_world(catalogue, {.numbers_as_strings = true});
}

TEST_CASE("readers agree: a missing part is refused, never read as nothing") {
    const Catalogue catalogue({.seed = 24, .sellers = 1, .products = 10});
    const Quirks quirks{.missing_module = true};
    const auto product = catalogue.product(catalogue.page(0, 0, 1).front());

    CHECK_FALSE(mustit::read_detail(detail_body(product, 0, quirks)));
    CHECK_FALSE(mustit::read_listing(listing_body(catalogue, 0, 0, 0, quirks)));
    CHECK_FALSE(mustit::read_search(search_body(catalogue, "seller_1", 1, 0, quirks)));
}
