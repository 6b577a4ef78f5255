#include "expectation.hpp"

#include <boost/json.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace marketsim;

namespace {

Product some_product() {
    Product product;
    product.item_no = 117005038;
    product.name = "이름";
    product.brand = "ETRO";
    product.brand_code = 52;
    product.normal_price = 1000;
    product.selling_price = 900;
    product.discount_price = 800;
    product.discount_rate = 20;
    product.images = {"https://i/1.jpeg"};
    product.tags = {"하", "가", "하"};
    product.options = {{.no = 4300000001, .color = "", .size = "US 4", .size_guide = "", .stock = 1}};
    product.stock = 1;
    return product;
}

std::string said(const std::vector<WrongField>& fields) {
    std::string text;
    for (const auto& field : fields) text += field.path + " " + field.expected + " " + field.found + "; ";
    return text;
}

}  // namespace

TEST_CASE("expectation: a listing has numbers for prices, whole addresses, and sorted tags once each") {
    const auto facet = expected_facet(some_product(), Facet::listing);

    CHECK(facet == boost::json::parse(R"({"appPrice":800,"brandName":"ETRO","discountRate":20,
        "imageUrlList":["https://i/1.jpeg/_dims_/resize/300x300/extent/300x400"],"itemNo":117005038,"name":"이름",
        "normalPrice":1000,"originalPrice":1000,"price":800,"tags":["가","하"]})"));
}

TEST_CASE("expectation: options go by their number") {
    const auto facet = expected_facet(some_product(), Facet::option);

    CHECK(facet == boost::json::parse(R"({"4300000001":{"color":"","size":"US 4","sizeGuide":"","stock":1}})"));
}

TEST_CASE("expectation: what is as expected has no differences") {
    for (const auto facet : facets) {
        const auto expected = expected_facet(some_product(), facet);
        CHECK(differences(facet, expected, boost::json::value(expected)).empty());
    }
}

TEST_CASE("expectation: a difference names the place and both values") {
    const auto expected = expected_facet(some_product(), Facet::detail);
    auto found = expected;
    found["stock"] = 7;
    found["itemNo"] = "117005038";
    found.erase("brandName");
    found["a/b"] = true;

    CHECK(said(differences(Facet::detail, expected, boost::json::value(found))) ==
          "/detail/brandName \"ETRO\" nothing; /detail/itemNo 117005038 \"117005038\"; /detail/stock 1 7; "
          "/detail/a~1b nothing true; ");
}

TEST_CASE("expectation: a wrong option is named by its number") {
    const auto expected = expected_facet(some_product(), Facet::option);
    const auto found = boost::json::parse(R"({"4300000001":{"color":"","size":"US 4","sizeGuide":"","stock":2}})");

    CHECK(said(differences(Facet::option, expected, found)) == "/option/4300000001/stock 1 2; ");
    CHECK(said(differences(Facet::option, {}, found)).starts_with("/option/4300000001 nothing {"));
}

TEST_CASE("expectation: a facet that is no object is wrong as a whole") {
    const auto expected = expected_facet(some_product(), Facet::option);

    const auto wrong = differences(Facet::option, expected, boost::json::value(nullptr));

    REQUIRE(wrong.size() == 1);
    CHECK(wrong.front().path == "/option");
    CHECK(wrong.front().found == "null");
}

TEST_CASE("expectation: a listing from a search may lack two prices, but only both") {
    const auto expected = expected_facet(some_product(), Facet::listing);
    auto found = expected;

    found.erase("appPrice");
    CHECK(said(differences(Facet::listing, expected, boost::json::value(found))) == "/listing/appPrice 800 nothing; ");
    found.erase("normalPrice");
    CHECK(differences(Facet::listing, expected, boost::json::value(found)).empty());
    found["price"] = 1;
    CHECK(said(differences(Facet::listing, expected, boost::json::value(found))) == "/listing/price 800 1; ");
}

TEST_CASE("expectation: long values are shown in short, in whole characters") {
    auto product = some_product();
    product.name.clear();
    for (int i = 0; i < 100; ++i) product.name += "가";
    auto found = expected_facet(product, Facet::detail);
    found["itemName"] = 1;

    const auto wrong = differences(Facet::detail, expected_facet(product, Facet::detail), boost::json::value(found));

    REQUIRE(wrong.size() == 1);
    CHECK(wrong.front().expected.size() < 70);
    CHECK((wrong.front().expected.size() - 1 - 3) % 3 == 0);
}
