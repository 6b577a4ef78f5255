#include <catch2/catch_template_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "codec/sha256.hpp"
#include "contract/fixtures/all.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

RequestUrl listing_of(const std::string& seller, std::int64_t page = 0) {
    return *RequestUrl::minishop(seller_id(seller), page);
}
RequestUrl detail_of(ItemNo item) {
    return *RequestUrl::detail(item);
}
RequestUrl options_of(ItemNo item) {
    return *RequestUrl::option(item);
}

CrawledRaw raw(const RequestUrl& url, const std::string& body, const std::string& seller = "shop-1") {
    auto state = a_raw("r-1", t0 + 7s).from(seller).of(url.type()).answering(200, body).build().state();
    state.item = url.item();
    return CrawledRaw::restore(std::move(state));
}

template <class Fixture>
ports::Page fetch(Fixture& f, const RequestUrl& url) {
    auto page = f.run(f.marketplace->fetch(a_task().asking(url), ports::Slot{}));
    REQUIRE(page);
    return *page;
}

// What the marketplace says now about one facet of item 4711.
template <class Fixture>
Facet facet(Fixture& f, const RequestUrl& url) {
    auto facets = f.marketplace->read(raw(url, fetch(f, url).body));
    REQUIRE(facets);
    REQUIRE(facets->size() == 1);
    return facets->front();
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("marketplace: a seller's items are counted", "[contract][marketplace]", MarketplaceFixtures) {
    TestType f;
    f.open_shop("empty");
    f.sell("머스트잇", 4711, "Bag", 1000, {});
    f.sell("머스트잇", 4712, "Shoe", 2000, {});

    CHECK(*f.run(f.marketplace->count_items(seller_id("머스트잇"), ports::Slot{})) == 2);
    CHECK(*f.run(f.marketplace->count_items(seller_id("empty"), ports::Slot{})) == 0);
}

TEMPLATE_LIST_TEST_CASE("marketplace: what is not there is not_found", "[contract][marketplace]", MarketplaceFixtures) {
    TestType f;
    f.sell("shop-1", 4711, "Bag", 1000, {});

    CHECK(code_of(f.run(f.marketplace->count_items(seller_id("nobody"), ports::Slot{}))) == "NOT_FOUND");
    const auto gone = GENERATE(listing_of("nobody"), detail_of(1), options_of(1));
    const auto task = a_task().of_seller("nobody").asking(gone);
    CHECK(code_of(f.run(f.marketplace->fetch(task, ports::Slot{}))) == "NOT_FOUND");
}

TEMPLATE_LIST_TEST_CASE("marketplace: a listing asks for detail and options of each of its items",
                        "[contract][marketplace]", MarketplaceFixtures) {
    TestType f;
    f.sell("shop-1", 4711, "Bag", 1000, {});
    f.sell("shop-1", 4712, "Shoe", 2000, {});

    const auto page = fetch(f, listing_of("shop-1"));

    std::set<std::string> asked;
    for (const auto& next : page.follow_ups) asked.insert(next.text());
    CHECK(page.follow_ups.size() == 4);
    CHECK(asked == std::set<std::string>{detail_of(4711).text(), detail_of(4712).text(), options_of(4711).text(),
                                         options_of(4712).text()});
    CHECK(page.http_status == 200);
}

TEMPLATE_LIST_TEST_CASE("marketplace: detail and options ask for nothing more", "[contract][marketplace]",
                        MarketplaceFixtures) {
    TestType f;
    f.sell("shop-1", 4711, "Bag", 1000, {"S"});

    CHECK(fetch(f, detail_of(4711)).follow_ups.empty());
    CHECK(fetch(f, options_of(4711)).follow_ups.empty());
}

TEMPLATE_LIST_TEST_CASE("marketplace: pages of 500 hold every item once, and the page behind the last is empty",
                        "[contract][marketplace]", MarketplaceFixtures) {
    TestType f;
    for (ItemNo item = 1; item <= 1001; ++item) f.sell("shop-1", item, "Bag", 1000, {});

    std::multiset<ItemNo> seen;
    std::vector<std::size_t> sizes;
    for (int number = 0; number < 4; ++number) {
        const auto page = fetch(f, listing_of("shop-1", number));
        const auto facets = f.marketplace->read(raw(listing_of("shop-1", number), page.body));
        REQUIRE(facets);
        sizes.push_back(facets->size());
        for (const auto& one : *facets) seen.insert(one.item);
    }

    CHECK(sizes == std::vector<std::size_t>{500, 500, 1, 0});
    CHECK(seen.size() == 1001);
    CHECK(seen.count(1) == 1);
    CHECK(seen.count(1001) == 1);
}

TEMPLATE_LIST_TEST_CASE("marketplace: each answer is read as its facet, stamped with its fetch",
                        "[contract][marketplace]", MarketplaceFixtures) {
    TestType f;
    f.sell("shop-1", 4711, "가방 \"x\" \\\n👜", 1000, {});

    const auto listing = facet(f, listing_of("shop-1"));
    const auto detail = facet(f, detail_of(4711));
    const auto option = facet(f, options_of(4711));

    CHECK(listing.kind == FacetKind::listing);
    CHECK(detail.kind == FacetKind::detail);
    CHECK(option.kind == FacetKind::option);
    for (const auto& one : {listing, detail, option}) {
        CHECK(one.item == 4711);
        CHECK(one.fetched_at == t0 + 7s);
        CHECK(one.digest == codec::sha256(one.canonical));
    }
}

TEMPLATE_LIST_TEST_CASE("marketplace: a detail names its seller; a facet that names one names the right one",
                        "[contract][marketplace]", MarketplaceFixtures) {
    TestType f;
    f.sell("shop-1", 4711, "가방", 1000, {"S"});

    const auto listing = facet(f, listing_of("shop-1"));
    const auto detail = facet(f, detail_of(4711));
    const auto option = facet(f, options_of(4711));

    CHECK(detail.seller == seller_id());
    CHECK(listing.seller.value_or(seller_id()) == seller_id());
    CHECK(option.seller.value_or(seller_id()) == seller_id());
}

TEMPLATE_LIST_TEST_CASE("marketplace: having no options is a facet like any other", "[contract][marketplace]",
                        MarketplaceFixtures) {
    TestType f;
    f.sell("shop-1", 4711, "가방", 1000, {});

    const auto option = facet(f, options_of(4711));

    CHECK(option.item == 4711);
    CHECK_FALSE(option.canonical.empty());
}

TEMPLATE_LIST_TEST_CASE("marketplace: the digest changes with the product, and only then", "[contract][marketplace]",
                        MarketplaceFixtures) {
    TestType f;
    f.sell("shop-1", 4711, "Bag", 1000, {"S"});
    const auto detail = facet(f, detail_of(4711)).digest;
    const auto option = facet(f, options_of(4711)).digest;
    CHECK(facet(f, detail_of(4711)).digest == detail);

    f.sell("shop-1", 4711, "Bag", 999, {"S"});
    CHECK(facet(f, detail_of(4711)).digest != detail);
    CHECK(facet(f, options_of(4711)).digest == option);

    f.sell("shop-1", 4711, "Bag", 999, {"S", "M"});
    CHECK(facet(f, options_of(4711)).digest != option);
}

TEMPLATE_LIST_TEST_CASE("marketplace: an answer that is not what it should be is invalid", "[contract][marketplace]",
                        MarketplaceFixtures) {
    TestType f;
    f.sell("shop-1", 4711, "Bag", 1000, {"S"});
    const auto url = GENERATE(listing_of("shop-1"), detail_of(4711), options_of(4711));
    const auto body = fetch(f, url).body;
    REQUIRE(f.marketplace->read(raw(url, body)));

    CHECK(code_of(f.marketplace->read(raw(url, ""))) == "INVALID");
    CHECK(code_of(f.marketplace->read(raw(url, "<html>maintenance</html>"))) == "INVALID");
    CHECK(code_of(f.marketplace->read(raw(url, body.substr(0, body.size() / 2)))) == "INVALID");
    CHECK(code_of(f.marketplace->read(raw(url, body + " more"))) == "INVALID");
}

TEMPLATE_LIST_TEST_CASE("marketplace: the detail of another seller's item names that seller, whoever was asked for",
                        "[contract][marketplace]", MarketplaceFixtures) {
    TestType f;
    f.sell("shop-2", 4711, "Bag", 1000, {});
    const auto body = fetch(f, detail_of(4711)).body;

    const auto facets = f.marketplace->read(raw(detail_of(4711), body, "shop-1"));

    REQUIRE(facets);
    CHECK(facets->at(0).seller == seller_id("shop-2"));
}

TEMPLATE_LIST_TEST_CASE("marketplace: what a seller's own listing has is his, and whole", "[contract][marketplace]",
                        MarketplaceFixtures) {
    TestType f;
    f.sell("shop-1", 4711, "가방", 1000, {});

    const auto listing = facet(f, listing_of("shop-1"));

    CHECK(listing.seller == seller_id("shop-1"));
    CHECK_FALSE(listing.partial);
}
