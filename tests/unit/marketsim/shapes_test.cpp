#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <iterator>

#include "bodies.hpp"
#include "support/sample_answers.hpp"
#include "unit/marketsim/json_paths.hpp"

using namespace marketsim;
using crawler::test::sample_answer;
using marketsim::test::json_paths;

namespace {

using Paths = std::set<std::string>;

Paths without(const Paths& all, const Paths& others) {
    Paths rest;
    std::ranges::set_difference(all, others, std::inserter(rest, rest.end()));
    return rest;
}

Product product_with(const std::function<bool(const Product&)>& property) {
    const Catalogue catalogue({.seed = 1, .sellers = 1, .products = 300});
    for (const auto item : catalogue.page(0, 0, 300)) {
        auto product = catalogue.product(item);
        if (property(product)) return product;
    }
    throw std::runtime_error("there is no such product");
}

bool is_like_the_sample(const Product& product) {
    return product.small.code.empty() && !product.brand_kr.empty() && product.delivery_days > 0;
}

}  // namespace

TEST_CASE("shapes: a detail has the keys and types of the real one") {
    const auto product = product_with(is_like_the_sample);

    const auto made = json_paths(detail_body(product, 3, {}));

    const auto real = json_paths(sample_answer("detail.json"));
    CHECK(without(made, real) == Paths{});
    CHECK(without(real, made) == Paths{});
}

TEST_CASE("shapes: a small category adds its keys to a detail") {
    const auto small = product_with([](const Product& product) {
        return !product.small.code.empty() && !product.brand_kr.empty() && product.delivery_days > 0;
    });

    const auto made = json_paths(detail_body(small, 3, {}));

    const auto real = json_paths(sample_answer("detail.json"));
    CHECK(without(real, made) == Paths{});
    CHECK(without(made, real) ==
          Paths{"/moduleList/<CatalogModule>/data/NEW/items/*/amplitudeInfo/parameters/category_3_name string",
                "/moduleList/<ProductInfoModule>/data/smallCategory string",
                "/moduleList/<ProductInfoModule>/data/smallCategoryCode string"});
}

TEST_CASE("shapes: what is not known of a product is left out of its detail") {
    const auto unknown = product_with([](const Product& product) {
        return product.small.code.empty() && (product.brand_kr.empty() || product.delivery_days == 0);
    });

    const auto made = json_paths(detail_body(unknown, 3, {}));

    const auto real = json_paths(sample_answer("detail.json"));
    CHECK(without(made, real) == Paths{});
    const auto missing = without(real, made);
    CHECK(missing.contains("/moduleList/<ProductInfoModule>/data/brandNameKr string") == unknown.brand_kr.empty());
    CHECK(missing.contains("/moduleList/<ShippingModule>/data/items/<SHIPPING>/data/averageDeliveryDay object") ==
          (unknown.delivery_days == 0));
}

TEST_CASE("shapes: options have the keys and types of the real ones") {
    const auto product = product_with([](const Product& any) { return any.options.size() > 2; });
    const auto bare = product_with([](const Product& any) { return any.options.empty(); });

    CHECK(json_paths(options_body(product, {})) == json_paths(sample_answer("options.json")));
    CHECK(options_body(bare, {}) == "[]");
}

TEST_CASE("shapes: a listing has the keys and types of the real one") {
    const Catalogue catalogue({.seed = 1, .sellers = 2, .products = 600});

    const auto made = json_paths(listing_body(catalogue, 1, 0, 3, {}));

    const auto real = json_paths(sample_answer("minishop.json"));
    CHECK(without(made, real) == Paths{});
    CHECK(without(real, made) == Paths{});
}

TEST_CASE("shapes: a search has the keys and types of the real one") {
    const Catalogue catalogue({.seed = 1, .sellers = 2, .products = 100});

    const auto made = json_paths(search_body(catalogue, "seller_1", 1, 3, {}));

    const auto real = json_paths(sample_answer("search.json"));
    CHECK(without(made, real) == Paths{});
    CHECK(without(real, made) == Paths{});
}
