#include "bodies.hpp"

#include <boost/json.hpp>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <map>
#include <span>

#include "volatile_fields.hpp"

using namespace marketsim;

namespace {

// Blanks what a path of volatile_fields.hpp names; '*' is any element of an array.
void mask(boost::json::value& value, std::string_view path) {
    if (path.empty()) {
        value = nullptr;
        return;
    }
    path.remove_prefix(1);
    const auto name = path.substr(0, path.find('/'));
    path.remove_prefix(name.size());
    if (name == "*" && value.is_array()) {
        for (auto& element : value.get_array()) mask(element, path);
    } else if (value.is_object()) {
        if (auto* const member = value.get_object().if_contains(name)) mask(*member, path);
    }
}

boost::json::value masked(const std::string& body, std::span<const std::string_view> paths) {
    auto document = boost::json::parse(body);
    for (const auto path : paths) mask(document, path);
    return document;
}

struct Found {
    std::map<ItemNo, int> own;
    std::size_t others = 0;
    std::size_t pages = 0;
};

// Follows the chain of a search to its end, as nextApiUrl says.
Found follow(const Catalogue& catalogue, const std::string& keyword) {
    Found found;
    std::string next = search_page_url(keyword, 1);
    while (!next.empty()) {
        ++found.pages;
        REQUIRE(next == search_page_url(keyword, found.pages));
        const auto document = boost::json::parse(search_body(catalogue, keyword, found.pages, found.pages, {}));
        const auto& modules = document.at("moduleList").as_array();
        REQUIRE(modules.size() <= search_page_size);
        for (const auto& module : modules) {
            const auto item = module.at("data").at("itemNo").as_int64();
            CHECK(catalogue.is_live(item));
            if (Catalogue::seller_id(catalogue.seller_of(item)) == keyword) {
                ++found.own[item];
            } else {
                ++found.others;
            }
        }
        next = document.at("nextApiUrl").as_string();
        if (!next.empty()) CHECK(modules.size() == search_page_size);
    }
    return found;
}

std::size_t found_once(const Found& found) {
    std::size_t once = 0;
    for (const auto& [item, times] : found.own) once += times == 1 ? 1U : 0U;
    return once;
}

}  // namespace

TEST_CASE("bodies: between two requests only the volatile fields differ") {
    const Catalogue catalogue({.seed = 6, .sellers = 3, .products = 120});
    const auto product = catalogue.product(catalogue.page(0, 7, 1).front());

    for (std::uint64_t tick = 1; tick < 40; ++tick) {
        const auto detail = detail_body(product, tick, {});
        const auto listing = listing_body(catalogue, 0, 0, tick, {});
        const auto search = search_body(catalogue, "seller_1", 1, tick, {});

        CHECK(detail != detail_body(product, tick + 1, {}));
        CHECK(listing != listing_body(catalogue, 0, 0, tick + 1, {}));
        CHECK(search != search_body(catalogue, "seller_1", 1, tick + 1, {}));
        CHECK(masked(detail, volatile_in_detail) == masked(detail_body(product, 0, {}), volatile_in_detail));
        CHECK(masked(listing, volatile_in_listing) ==
              masked(listing_body(catalogue, 0, 0, 0, {}), volatile_in_listing));
        CHECK(masked(search, volatile_in_search) ==
              masked(search_body(catalogue, "seller_1", 1, 0, {}), volatile_in_search));
    }
}

TEST_CASE("bodies: every field that is called volatile moves") {
    const Catalogue catalogue({.seed = 6, .sellers = 3, .products = 120});
    const auto product = catalogue.product(catalogue.page(0, 7, 1).front());
    const auto moves = [](std::span<const std::string_view> paths, const auto& body) {
        for (std::size_t i = 0; i < paths.size(); ++i) {
            INFO(paths[i]);
            std::vector<std::string_view> others(paths.begin(), paths.end());
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
            bool moved = false;
            for (std::uint64_t tick = 1; tick < 30; ++tick)
                moved = moved || masked(body(tick), others) != masked(body(0), others);
            CHECK(moved);
        }
    };

    moves(volatile_in_detail, [&](std::uint64_t tick) { return detail_body(product, tick, {}); });
    moves(volatile_in_listing, [&](std::uint64_t tick) { return listing_body(catalogue, 0, 0, tick, {}); });
    moves(volatile_in_search, [&](std::uint64_t tick) { return search_body(catalogue, "seller_1", 1, tick, {}); });
}

TEST_CASE("bodies: listing pages hold every item once and announce how many there are") {
    const Catalogue catalogue({.seed = 6, .sellers = 2, .products = 1201});

    std::vector<ItemNo> listed;
    for (std::size_t page = 0; page < 4; ++page) {
        const auto document = boost::json::parse(listing_body(catalogue, 1, page, page, {}));
        CHECK(document.at("count").as_int64() == 1201);
        for (const auto& item : document.at("items").as_array()) listed.push_back(item.at("itemNo").as_int64());
    }

    CHECK(listed == catalogue.page(1, 0, 1201));
    const auto beyond = boost::json::parse(listing_body(catalogue, 1, SIZE_MAX, 0, {}));
    CHECK(beyond.at("items").as_array().empty());
}

TEST_CASE("bodies: a search finds every item of its seller once, and others' among them") {
    Catalogue catalogue({.seed = 6, .sellers = 3, .products = 250});
    catalogue.apply({.kind = ChangeKind::remove, .seller = 1, .count = 13}, SimTime(0));

    const auto found = follow(catalogue, "seller_2");

    CHECK(found_once(found) == 237);
    CHECK(found.own.size() == 237);
    CHECK(found.others == 237 / 4);
    CHECK(found.pages == (237 + 237 / 4 + 39) / 40);
}

TEST_CASE("bodies: where there is one seller, or one who sells, a search finds nobody else's") {
    const Catalogue alone({.seed = 6, .sellers = 1, .products = 80});
    Catalogue among_closed({.seed = 6, .sellers = 2, .products = 80});
    among_closed.apply({.kind = ChangeKind::remove, .seller = 1, .count = 80}, SimTime(0));

    for (const Catalogue& catalogue : {std::cref(alone), std::cref(among_closed)}) {
        const auto found = follow(catalogue, "seller_1");
        CHECK(found_once(found) == 80);
        CHECK(found.others == 0);
        CHECK(found.pages == 2);
    }
}

TEST_CASE("bodies: a search for nobody, or past its end, finds nothing and ends") {
    const Catalogue catalogue({.seed = 6, .sellers = 2, .products = 10});

    for (const auto& body :
         {search_body(catalogue, "구찌 \"백\"", 1, 0, {}), search_body(catalogue, "seller_1", 2, 0, {}),
          search_body(catalogue, "seller_1", SIZE_MAX, 0, {})}) {
        const auto document = boost::json::parse(body);
        CHECK(document.at("moduleList").as_array().empty());
        CHECK(document.at("nextApiUrl").as_string().empty());
    }
}

TEST_CASE("bodies: the address of a search page encodes its keyword") {
    CHECK(search_page_url("seller_1", 2) ==
          "/v1/search/items?keyword=seller_1&sort=POPULAR2&f=us:NEW,lwp:Y&pageNo=2&beforeItemType=Normal"
          "&previousIdx=0%2C0");
    CHECK(search_page_url("백 &", 1).starts_with("/v1/search/items?keyword=%EB%B0%B1%20%26&sort="));
}

TEST_CASE("bodies: numbers come as texts of digits where that is asked for") {
    const Catalogue catalogue({.seed = 6, .sellers = 2, .products = 40});
    const Quirks quirks{.numbers_as_strings = true};
    const auto items = catalogue.page(0, 0, 40);
    const auto product = catalogue.product(items[0]);

    const auto info = boost::json::parse(detail_body(product, 0, quirks)).at_pointer("/moduleList/1/data");
    const auto listing = boost::json::parse(listing_body(catalogue, 0, 0, 0, quirks));
    const auto search = boost::json::parse(search_body(catalogue, "seller_1", 1, 0, quirks));

    CHECK(info.at("sellingPrice").as_string() == std::to_string(product.selling_price));
    CHECK(info.at("stock").as_string() == std::to_string(product.stock));
    CHECK(listing.at("count").as_string() == "40");
    CHECK(listing.at_pointer("/items/0/itemNo").as_string() == std::to_string(items[0]));
    CHECK(search.at_pointer("/moduleList/0/data/itemNo").as_string() == std::to_string(items[0]));
    for (const auto item : items) {
        const auto options = boost::json::parse(options_body(catalogue.product(item), quirks));
        for (const auto& option : options.as_array()) CHECK(option.at("optionNo").is_string());
    }
}

TEST_CASE("bodies: a part is missing where that is asked for, and the rest is there") {
    const Catalogue catalogue({.seed = 6, .sellers = 2, .products = 40});
    const Quirks quirks{.missing_module = true};

    const auto detail = detail_body(catalogue.product(catalogue.page(0, 0, 1).front()), 0, quirks);
    const auto listing = boost::json::parse(listing_body(catalogue, 0, 0, 0, quirks));
    const auto search = boost::json::parse(search_body(catalogue, "seller_1", 1, 0, quirks));

    CHECK(detail.find("ProductInfoModule") == std::string::npos);
    CHECK(boost::json::parse(detail).at("moduleList").as_array().size() == 17);
    CHECK_FALSE(listing.as_object().contains("items"));
    CHECK(listing.as_object().contains("groupResult"));
    CHECK_FALSE(search.as_object().contains("moduleList"));
    CHECK_FALSE(search.at("nextApiUrl").as_string().empty());
}
