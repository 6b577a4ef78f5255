#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "adapters/mustit/mustit.hpp"
#include "codec/diff.hpp"
#include "support/sample_answers.hpp"

using namespace crawler;
using namespace crawler::adapters::mustit;
using crawler::test::EditedAnswer;
using crawler::test::sample_answer;

namespace {

ListingPage listing(const std::string& body) {
    auto page = read_listing(body);
    if (!page) FAIL(page.error().detail);
    return *std::move(page);
}

SearchPage search(const std::string& body) {
    auto page = read_search(body);
    if (!page) FAIL(page.error().detail);
    return *std::move(page);
}

std::string complaint(const EditedAnswer& answer) {
    const auto page = read_listing(answer.text());
    if (page) FAIL("it was read");
    CHECK(page.error().code == Errc::invalid);
    return page.error().detail;
}

std::string only_path(std::string_view before, std::string_view after) {
    const auto changes = codec::diff(before, after);
    if (!changes || changes->changes().size() != 1) return "not one change";
    return changes->changes()[0].path;
}

}  // namespace

// What digests stand on. A change here is a change of every product's digest: all of them would be pushed again.
TEST_CASE("mustit listing: the sample's facets have these texts and digests", "[mustit][listing]") {
    const auto page = listing(sample_answer("minishop.json"));

    CHECK(page.announced == 3464);
    REQUIRE(page.facets.size() == 5);
    CHECK(
        page.facets[1].canonical ==
        R"({"appPrice":1047600,"brandName":"Max Mara","discountRate":49,"imageUrlList":["https://image.mustit.co.kr/lib/)"
        R"(upload/product/dmont/2025/11/253bb18d9c784e6a68f6e4fad07d1636.jpeg/_dims_/resize/300x300/extent/300x400"],)"
        R"("itemNo":117757668,"name":"디몬트 막스마라 여성 레지나 벨티드 롱 코트(뉴트럴) 2525016102600 002",)"
        R"("normalPrice":2065000,"originalPrice":2065000,"price":1047600,"tags":["무료배송"]})");
    const std::vector<std::pair<ItemNo, std::string>> expected{
        {117757690, "ad84cc8e394a0532de732442f162001ee1ceccd06bdaf14dabfdaef80989fda6"},
        {117757668, "90b5abfa0f205832f5f1b077e870625b8eddea0d7580c3198448824abe222ef1"},
        {117757667, "89cd9c43c57ef062ae435bbbf506e840078cdc81a1585f04618ac28f56f4a85e"},
        {117757666, "72cbd25fea07ab48f278fe14551a5e486b510d8962f8fd98dc1268dbf2217b68"},
        {117757664, "587cb579b14fac1ab4ee526e503210ca782d7bbe9272ff22b03bb9a2e81f5598"}};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK(page.facets[i].item == expected[i].first);
        CHECK(page.facets[i].digest.hex() == expected[i].second);
        CHECK(page.facets[i].kind == FacetKind::listing);
        CHECK_FALSE(page.facets[i].seller);
    }
}

TEST_CASE("mustit search: the sample's facet has this digest, and the next page is known", "[mustit][search]") {
    const auto page = search(sample_answer("search.json"));

    CHECK(
        page.next_api_url ==
        "/v1/search/items?keyword=dmont&sort=POPULAR2&f=us:NEW,lwp:Y&pageNo=3&beforeItemType=Normal&previousIdx=0%2C0");
    REQUIRE(page.facets.size() == 1);
    CHECK(page.facets[0].item == 103446837);
    CHECK(page.facets[0].kind == FacetKind::listing);
    CHECK(page.facets[0].digest.hex() == "afdd91e9844327d6f0cccabe9efafac7d643a336cdd6adeee8d8a6ef187eb234");
}

TEST_CASE("mustit search: an item says the same as in a listing, but counts as partial", "[mustit][search]") {
    EditedAnswer found("search.json");
    EditedAnswer shop("minishop.json");
    found.at("/moduleList/0/data") = shop.at("/items/0");

    auto expected = listing(shop.text()).facets[0];
    CHECK_FALSE(expected.partial);
    expected.partial = true;
    CHECK(search(found.text()).facets[0] == expected);
}

TEST_CASE("mustit search: the last page has no next one", "[mustit][search]") {
    EditedAnswer answer("search.json");

    CHECK_FALSE(search(EditedAnswer("search.json").set("/nextApiUrl", "null").text()).next_api_url);
    CHECK_FALSE(search(EditedAnswer("search.json").set("/nextApiUrl", R"("")").text()).next_api_url);
    CHECK_FALSE(search(EditedAnswer("search.json").remove("/nextApiUrl").text()).next_api_url);
}

TEST_CASE("mustit search: other modules are passed over, and none is a page too", "[mustit][search]") {
    EditedAnswer answer("search.json");
    auto& modules = answer.at("/moduleList").as_array();
    modules.insert(modules.begin(), boost::json::parse(R"({"type":"SearchItem","data":{"itemNo":0}})"));
    CHECK(search(answer.text()).facets.size() == 1);

    modules.clear();
    CHECK(search(answer.text()).facets.empty());
}

TEST_CASE("mustit search: an item whose data comes before its type is found, in its place", "[mustit][search]") {
    EditedAnswer answer("search.json");
    const auto data = boost::json::serialize(answer.at("/moduleList/0/data"));
    const std::string first = R"({"type":"SearchItemV2","data":)" + data + "}";
    const std::string second = R"({"data":)" + data + R"(,"type":"SearchItemV2"})";

    const auto page = search("{\"moduleList\":[" + first + "," + second + "," + first + "]}");

    CHECK(page.facets.size() == 3);
    CHECK(std::ranges::all_of(page.facets, [&](const auto& facet) { return facet == page.facets[0]; }));
}

TEST_CASE("mustit listing: no items is a page", "[mustit][listing]") {
    const auto page = listing(R"({"items":[],"count":0})");

    CHECK(page.announced == 0);
    CHECK(page.facets.empty());
}

TEST_CASE("mustit listing: every field of the facet counts, and shows in the diff", "[mustit][listing]") {
    struct Edit {
        std::string member;
        std::string json;
        std::string path;
    };
    const auto before = listing(sample_answer("minishop.json")).facets[0];
    for (const auto& [member, json, path] : std::vector<Edit>{{"itemNo", "4134224619", "/itemNo"},
                                                              {"name", R"("다른 이름")", "/name"},
                                                              {"brandName", R"("ETRO")", "/brandName"},
                                                              {"price", R"("545,601")", "/price"},
                                                              {"originalPrice", "2", "/originalPrice"},
                                                              {"normalPrice", "3", "/normalPrice"},
                                                              {"appPrice", "4", "/appPrice"},
                                                              {"discountRate", "0", "/discountRate"},
                                                              {"imageUrlList", R"(["u"])", "/imageUrlList"},
                                                              {"tagList", R"([{"title":"관부가세 포함"}])", "/tags"}}) {
        CAPTURE(member);
        const auto after = listing(EditedAnswer("minishop.json").set("/items/0/" + member, json).text()).facets[0];

        CHECK(after.digest != before.digest);
        CHECK(only_path(before.canonical, after.canonical) == path);
    }
}

TEST_CASE("mustit listing: what is volatile does not count", "[mustit][listing]") {
    const auto before = listing(sample_answer("minishop.json")).facets;
    for (const auto& [pointer, json] :
         std::vector<std::pair<std::string, std::string>>{{"/items/0/likeStatus", "true"},
                                                          {"/items/0/likeImageUrl", R"("x")"},
                                                          {"/items/0/webSpacingInfo", "5"},
                                                          {"/items/0/landingUrl", R"("x")"},
                                                          {"/items/0/appDiscountRate", R"("1")"},
                                                          {"/items/0/tagList/0/textColor", R"("#000000")"},
                                                          {"/items/0/somethingNew", R"({"price":0})"},
                                                          {"/groupResult", "[]"},
                                                          {"/count", "5"}}) {
        CAPTURE(pointer);
        CHECK(listing(EditedAnswer("minishop.json").set(pointer, json).text()).facets == before);
    }
}

TEST_CASE("mustit listing: the order of images matters, the order of tags does not", "[mustit][listing]") {
    EditedAnswer answer("minishop.json");
    answer.set("/items/0/tagList", R"([{"title":"나"},{"title":"가"}])");
    const auto before = listing(answer.text()).facets[0];

    answer.set("/items/0/tagList", R"([{"title":"가"},{"title":"나"},{"title":"가"}])");
    CHECK(listing(answer.text()).facets[0] == before);

    auto& images = answer.at("/items/0/imageUrlList").as_array();
    std::swap(images[0], images[1]);
    CHECK(only_path(before.canonical, listing(answer.text()).facets[0].canonical) == "/imageUrlList");
}

TEST_CASE("mustit listing: what only a listing has may be missing, anything else may not", "[mustit][listing]") {
    CHECK(read_listing(EditedAnswer("minishop.json").remove("/items/2/appPrice").text()));
    CHECK(read_listing(EditedAnswer("minishop.json").set("/items/2/normalPrice", "null").text()));
    for (const std::string member :
         {"itemNo", "name", "brandName", "price", "originalPrice", "discountRate", "imageUrlList", "tagList"}) {
        CHECK(complaint(EditedAnswer("minishop.json").remove("/items/2/" + member)) ==
              "/items/2/" + member + ": must be there");
    }
    CHECK(complaint(EditedAnswer("minishop.json").remove("/count")) == "/count: must be there");
    CHECK(complaint(EditedAnswer("minishop.json").remove("/items")) == "/items: must be there");
}

TEST_CASE("mustit listing: no price is ever zero and no name ever empty", "[mustit][listing]") {
    for (const std::string member : {"price", "originalPrice", "normalPrice", "appPrice"}) {
        for (const std::string bad :
             {"0", "-1", R"("")", R"("0")", R"("무료")", R"("1,00")", R"("545.600,00")", R"("1.5")", "true"}) {
            CAPTURE(member, bad);
            CHECK(complaint(EditedAnswer("minishop.json").set("/items/1/" + member, bad)) ==
                  "/items/1/" + member + ": must be a positive price, found " + bad);
        }
    }
    for (const std::string member : {"name", "brandName"}) {
        CHECK(complaint(EditedAnswer("minishop.json").set("/items/1/" + member, R"("  ")")) ==
              "/items/1/" + member + R"(: must be text that is not blank, found "  ")");
    }
}

TEST_CASE("mustit listing: an image or a tag that is blank is refused where it stands", "[mustit][listing]") {
    for (const std::string pointer : {"/items/0/imageUrlList/1", "/items/0/tagList/0/title"}) {
        CHECK(complaint(EditedAnswer("minishop.json").set(pointer, R"(" ")")) ==
              pointer + R"(: must be text that is not blank, found " ")");
    }
}

TEST_CASE("mustit listing: a number out of its range is refused where it stands", "[mustit][listing]") {
    CHECK(complaint(EditedAnswer("minishop.json").set("/items/1/discountRate", R"("101")")) ==
          R"(/items/1/discountRate: must be a whole number from 0 to 100, found "101")");
    CHECK(complaint(EditedAnswer("minishop.json").set("/items/1/itemNo", "0")) ==
          "/items/1/itemNo: must be a whole number above zero, found 0");
    CHECK(complaint(EditedAnswer("minishop.json").set("/count", "-1")) ==
          "/count: must be a whole number, zero or above, found -1");
}

TEST_CASE("mustit search: a place is named by the module it is in", "[mustit][search]") {
    const auto page = read_search(EditedAnswer("search.json").set("/moduleList/0/data/price", R"("무료")").text());

    REQUIRE_FALSE(page);
    CHECK(page.error().detail == R"(/moduleList/0/data/price: must be a positive price, found "무료")");
}
