#include <catch2/catch_template_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "contract/fixtures/all.hpp"
#include "domain/request_url.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

CrawlerTask task(TaskType type, const std::string& url, const std::string& seller = "shop-1") {
    return CrawlerTask::create(TaskId{"t-1"}, ExecutionId{"e-1"}, seller_id(seller), type, url, t0);
}

CrawledRaw raw(TaskType type, const std::string& body, const std::string& seller = "shop-1") {
    return {.id = RawId{"r-1"},
            .task = TaskId{"t-1"},
            .seller = seller_id(seller),
            .type = type,
            .fetched_at = t0 + 7s,
            .body = body};
}

template <class Fixture>
ports::Page fetch(Fixture& f, const CrawlerTask& task) {
    auto page = f.run(f.marketplace->fetch(task, ports::Slot{}));
    REQUIRE(page);
    return *page;
}

// What the marketplace says now about one facet of item 4711.
template <class Fixture>
Facet facet(Fixture& f, TaskType type, const std::string& url) {
    auto facets = f.marketplace->read(raw(type, fetch(f, task(type, url)).body));
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
    const auto gone =
        GENERATE(task(TaskType::minishop, minishop_url(seller_id("nobody"), 0), "nobody"),
                 task(TaskType::product_detail, detail_url(1)), task(TaskType::product_option, option_url(1)));
    CHECK(code_of(f.run(f.marketplace->fetch(gone, ports::Slot{}))) == "NOT_FOUND");
}

TEMPLATE_LIST_TEST_CASE("marketplace: a listing asks for detail and options of each of its items",
                        "[contract][marketplace]", MarketplaceFixtures) {
    TestType f;
    f.sell("shop-1", 4711, "Bag", 1000, {});
    f.sell("shop-1", 4712, "Shoe", 2000, {});

    const auto page = fetch(f, task(TaskType::minishop, minishop_url(seller_id(), 0)));

    std::set<std::string> asked;
    for (const auto& next : page.follow_ups) asked.insert(std::string(to_string(next.type)) + " " + next.request_url);
    CHECK(asked == std::set<std::string>{"PRODUCT_DETAIL " + detail_url(4711), "PRODUCT_DETAIL " + detail_url(4712),
                                         "PRODUCT_OPTION " + option_url(4711), "PRODUCT_OPTION " + option_url(4712)});
    CHECK(page.http_status == 200);
}

TEMPLATE_LIST_TEST_CASE("marketplace: detail and options ask for nothing more", "[contract][marketplace]",
                        MarketplaceFixtures) {
    TestType f;
    f.sell("shop-1", 4711, "Bag", 1000, {"S"});

    CHECK(fetch(f, task(TaskType::product_detail, detail_url(4711))).follow_ups.empty());
    CHECK(fetch(f, task(TaskType::product_option, option_url(4711))).follow_ups.empty());
}

TEMPLATE_LIST_TEST_CASE("marketplace: pages of 500 hold every item once, and the page behind the last is empty",
                        "[contract][marketplace]", MarketplaceFixtures) {
    TestType f;
    for (ItemNo item = 1; item <= 1001; ++item) f.sell("shop-1", item, "Bag", 1000, {});

    std::multiset<ItemNo> seen;
    std::vector<std::size_t> sizes;
    for (int number = 0; number < 4; ++number) {
        const auto page = fetch(f, task(TaskType::minishop, minishop_url(seller_id(), number)));
        const auto facets = f.marketplace->read(raw(TaskType::minishop, page.body));
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

    const auto listing = facet(f, TaskType::minishop, minishop_url(seller_id(), 0));
    const auto detail = facet(f, TaskType::product_detail, detail_url(4711));
    const auto option = facet(f, TaskType::product_option, option_url(4711));

    CHECK(listing.kind == FacetKind::listing);
    CHECK(detail.kind == FacetKind::detail);
    CHECK(option.kind == FacetKind::option);
    for (const auto& one : {listing, detail, option}) {
        CHECK(one.item == 4711);
        CHECK(one.fetched_at == t0 + 7s);
        CHECK_FALSE(one.digest.empty());
    }
}

TEMPLATE_LIST_TEST_CASE("marketplace: the digest changes with the product, and only then", "[contract][marketplace]",
                        MarketplaceFixtures) {
    TestType f;
    f.sell("shop-1", 4711, "Bag", 1000, {"S"});
    const auto detail = facet(f, TaskType::product_detail, detail_url(4711)).digest;
    const auto option = facet(f, TaskType::product_option, option_url(4711)).digest;
    CHECK(facet(f, TaskType::product_detail, detail_url(4711)).digest == detail);

    f.sell("shop-1", 4711, "Bag", 999, {"S"});
    CHECK(facet(f, TaskType::product_detail, detail_url(4711)).digest != detail);
    CHECK(facet(f, TaskType::product_option, option_url(4711)).digest == option);

    f.sell("shop-1", 4711, "Bag", 999, {"S", "M"});
    CHECK(facet(f, TaskType::product_option, option_url(4711)).digest != option);
}

TEMPLATE_LIST_TEST_CASE("marketplace: an answer that is not what it should be is invalid", "[contract][marketplace]",
                        MarketplaceFixtures) {
    TestType f;
    f.sell("shop-1", 4711, "Bag", 1000, {"S"});
    const auto type = GENERATE(TaskType::minishop, TaskType::product_detail, TaskType::product_option);
    const auto url = type == TaskType::minishop         ? minishop_url(seller_id(), 0)
                     : type == TaskType::product_detail ? detail_url(4711)
                                                        : option_url(4711);
    const auto body = fetch(f, task(type, url)).body;
    REQUIRE(f.marketplace->read(raw(type, body)));

    CHECK(code_of(f.marketplace->read(raw(type, ""))) == "INVALID");
    CHECK(code_of(f.marketplace->read(raw(type, "<html>maintenance</html>"))) == "INVALID");
    CHECK(code_of(f.marketplace->read(raw(type, body.substr(0, body.size() / 2)))) == "INVALID");
    CHECK(code_of(f.marketplace->read(raw(type, body + " more"))) == "INVALID");
}

TEMPLATE_LIST_TEST_CASE("marketplace: the detail of another seller's item is invalid", "[contract][marketplace]",
                        MarketplaceFixtures) {
    TestType f;
    f.sell("shop-2", 4711, "Bag", 1000, {});
    const auto body = fetch(f, task(TaskType::product_detail, detail_url(4711))).body;

    CHECK(code_of(f.marketplace->read(raw(TaskType::product_detail, body, "shop-1"))) == "INVALID");
    CHECK(f.marketplace->read(raw(TaskType::product_detail, body, "shop-2")));
}
