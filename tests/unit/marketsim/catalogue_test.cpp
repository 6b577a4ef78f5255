#include "catalogue.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <set>

#include "bodies.hpp"

using namespace marketsim;

namespace {

// Everything a product is, as the answers say it.
std::string whole(const Product& product) {
    return detail_body(product, 0, {}) + options_body(product, {});
}

std::vector<ItemNo> all_items(const Catalogue& catalogue) {
    std::vector<ItemNo> items;
    for (int seller = 0; seller < catalogue.sellers(); ++seller) {
        const auto page = catalogue.page(seller, 0, catalogue.live_count(seller));
        items.insert(items.end(), page.begin(), page.end());
    }
    return items;
}

std::size_t resident_kilobytes() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        std::size_t kilobytes = 0;
        if (word == "VmRSS:" && status >> kilobytes) return kilobytes;
    }
    return 0;
}

void check_prices(const Product& product) {
    CHECK(product.discount_price > 0);
    CHECK(product.discount_price <= product.selling_price);
    CHECK(product.selling_price < product.normal_price);
    CHECK(product.normal_price % 100 + product.selling_price % 100 + product.discount_price % 100 == 0);
    const auto twice_off = 200 * (product.normal_price - product.discount_price);
    CHECK(std::abs(twice_off - 2 * product.discount_rate * product.normal_price) <= product.normal_price);
}

void check_plausible(const Product& product) {
    INFO(product.item_no);
    check_prices(product);
    CHECK(product.options.size() <= 12);
    CHECK(product.images.size() >= 1);
    CHECK(product.images.size() <= 5);
    CHECK(product.description.size() >= 2000);
    CHECK(product.description.size() <= 6500);
    CHECK(product.description.find('"') != std::string::npos);
    CHECK(product.description.find('\n') != std::string::npos);
    std::int64_t stock = 0;
    for (const auto& option : product.options) {
        CHECK(option.no > 4294967296);
        stock += option.stock;
    }
    if (!product.options.empty()) CHECK(stock == product.stock);
}

}  // namespace

TEST_CASE("catalogue: the same seed makes the same products") {
    const Catalogue first({.seed = 7, .sellers = 2, .products = 60});
    const Catalogue second({.seed = 7, .sellers = 2, .products = 60});

    CHECK(all_items(first) == all_items(second));
    for (const auto item : all_items(first)) CHECK(whole(first.product(item)) == whole(second.product(item)));
}

TEST_CASE("catalogue: a seed makes what it made on every other machine") {
    const Catalogue catalogue({.seed = 1, .sellers = 3, .products = 10});

    const auto product = catalogue.product(110000004);

    CHECK(product.name == "라비에트 캐나다구스 여성 ORB 퀼팅 체인 숄더백(그레이) 56544237O N604");
    CHECK(product.normal_price == 644000);
    CHECK(product.images.front() ==
          "https://image.mustit.co.kr/lib/upload/product/seller_2/2025/06/77a7efe2a561a9c9d267daa3fe76f20b.jpeg");
}

TEST_CASE("catalogue: another seed makes other products") {
    const Catalogue first({.seed = 7, .sellers = 1, .products = 20});
    const Catalogue second({.seed = 8, .sellers = 1, .products = 20});

    for (const auto item : all_items(first)) CHECK(whole(first.product(item)) != whole(second.product(item)));
}

TEST_CASE("catalogue: items and options have numbers of their own") {
    const Catalogue catalogue({.seed = 3, .sellers = 3, .products = 400});

    std::set<ItemNo> items;
    std::set<std::int64_t> options;
    std::size_t made_options = 0;
    for (const auto item : all_items(catalogue)) {
        items.insert(item);
        const auto product = catalogue.product(item);
        made_options += product.options.size();
        for (const auto& option : product.options) options.insert(option.no);
    }

    CHECK(items.size() == 1200);
    CHECK(options.size() == made_options);
}

TEST_CASE("catalogue: products are plausible") {
    const Catalogue catalogue({.seed = 5, .sellers = 2, .products = 1000});

    std::size_t sold_out = 0;
    std::size_t without_options = 0;
    for (const auto item : all_items(catalogue)) {
        const auto product = catalogue.product(item);
        check_plausible(product);
        sold_out += product.is_sold_out() ? 1U : 0U;
        without_options += product.options.empty() ? 1U : 0U;
    }

    CHECK(sold_out > 100);
    CHECK(sold_out < 180);
    CHECK(without_options > 190);
    CHECK(without_options < 290);
}

TEST_CASE("catalogue: an item belongs to the seller whose page it is on") {
    const Catalogue catalogue({.seed = 1, .sellers = 3, .products = 10});

    for (int seller = 0; seller < 3; ++seller) {
        for (const auto item : catalogue.page(seller, 0, 10)) {
            CHECK(catalogue.seller_of(item) == seller);
            CHECK(catalogue.product(item).seller == seller);
        }
    }
}

TEST_CASE("catalogue: pages go from the newest to the oldest and end") {
    const Catalogue catalogue({.seed = 1, .sellers = 2, .products = 10});

    auto items = catalogue.page(1, 0, 6);
    const auto rest = catalogue.page(1, 6, 6);
    items.insert(items.end(), rest.begin(), rest.end());

    CHECK(rest.size() == 4);
    CHECK(items.size() == 10);
    CHECK(std::ranges::is_sorted(items, std::greater<>()));
    CHECK(catalogue.page(1, 10, 6).empty());
}

TEST_CASE("catalogue: a seller is found by its id and by nothing like it") {
    const Catalogue catalogue({.seed = 1, .sellers = 11, .products = 0});

    CHECK(catalogue.find_seller("seller_1") == 0);
    CHECK(catalogue.find_seller(Catalogue::seller_id(10)) == 10);
    for (const auto* const text : {"", "seller_", "seller_0", "seller_12", "seller_01", "seller_1 ", "seller_-1", "x"})
        CHECK_FALSE(catalogue.find_seller(text));
}

TEST_CASE("catalogue: an item that never was is no item") {
    const Catalogue catalogue({.seed = 1, .sellers = 2, .products = 5});

    for (const ItemNo item : {0, -1, 109999999, 110000010, 999999999}) {
        CHECK_FALSE(catalogue.has_been(item));
        CHECK_FALSE(catalogue.is_live(item));
        CHECK_THROWS_AS(catalogue.product(item), std::out_of_range);
    }
    CHECK_THROWS_AS(catalogue.product(110000000, 1), std::out_of_range);
}

TEST_CASE("catalogue: a million products take little memory") {
    const auto before = resident_kilobytes();

    const Catalogue catalogue({.seed = 1, .sellers = 4, .products = 250'000});
    for (std::size_t i = 0; i < 250'000; i += 10'000)
        check_plausible(catalogue.product(catalogue.page(3, i, 1).front()));

    REQUIRE(before > 0);
    CHECK(resident_kilobytes() - before < 64 * 1024);
}

TEST_CASE("catalogue: a change that is made a few items at a time is the same change") {
    for (const auto kind : {ChangeKind::price, ChangeKind::add, ChangeKind::remove, ChangeKind::restore}) {
        INFO(to_string(kind));
        Catalogue whole({.seed = 9, .sellers = 3, .products = 50});
        Catalogue pieces({.seed = 9, .sellers = 3, .products = 50});
        for (auto* catalogue : {&whole, &pieces})
            catalogue->apply({.kind = ChangeKind::remove, .count = 60}, SimTime(1));
        const Change change{.kind = kind, .count = 40};

        const auto made = whole.apply(change, SimTime(2));
        const auto items = pieces.choose(change);
        for (std::size_t first = 0; first < items.size(); first += 7) {
            const auto next = std::span(items).subspan(first, std::min<std::size_t>(7, items.size() - first));
            pieces.make(kind, next, SimTime(2));
            CHECK(std::ranges::all_of(
                next, [&](ItemNo item) { return pieces.is_live(item) == (kind != ChangeKind::remove); }));
        }

        REQUIRE(pieces.mutations().size() == whole.mutations().size());
        for (std::size_t i = 0; i < made.size(); ++i) {
            CHECK(pieces.mutations()[60 + i].item == made[i].item);
            CHECK(pieces.mutations()[60 + i].touches == made[i].touches);
        }
        CHECK(all_items(pieces) == all_items(whole));
    }
}
