#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <set>
#include <stdexcept>

#include "catalogue.hpp"
#include "expectation.hpp"
#include "product_change.hpp"

using namespace marketsim;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr std::array changing_kinds{ChangeKind::price, ChangeKind::stock, ChangeKind::options, ChangeKind::images,
                                    ChangeKind::description};

std::array<bool, 3> really_different(const Product& before, const Product& after) {
    std::array<bool, 3> different{};
    for (const auto facet : facets)
        different.at(static_cast<std::size_t>(facet)) = expected_facet(before, facet) != expected_facet(after, facet);
    return different;
}

// What a kind may touch at most, and must at least.
struct Reach {
    std::array<bool, 3> most;
    std::array<bool, 3> least;
};

Reach reach(ChangeKind kind) {
    switch (kind) {
        case ChangeKind::price:
        case ChangeKind::images:
            return {.most = {true, true, false}, .least = {true, true, false}};
        case ChangeKind::stock:
            return {.most = {false, true, true}, .least = {false, true, false}};
        case ChangeKind::options:
            return {.most = {false, true, true}, .least = {false, false, true}};
        case ChangeKind::description:
            return {.most = {false, true, false}, .least = {false, true, false}};
        default:
            return {.most = {true, true, true}, .least = {true, true, true}};
    }
}

std::string refusal(Catalogue& catalogue, const Change& change) {
    const auto mutations = catalogue.mutations().size();
    const auto live = catalogue.live_count(0) + catalogue.live_count(1);
    std::string rule = "no refusal";
    try {
        catalogue.apply(change, SimTime(1));
    } catch (const std::invalid_argument& refused) {
        rule = refused.what();
    }
    CHECK(catalogue.mutations().size() == mutations);
    CHECK(catalogue.live_count(0) + catalogue.live_count(1) == live);
    return rule;
}

}  // namespace

TEST_CASE("changes: each kind changes exactly the facets that it says it touches") {
    Catalogue catalogue({.seed = 11, .sellers = 2, .products = 100});

    for (int round = 0; round < 12; ++round) {
        for (const auto kind : changing_kinds) {
            for (const auto& mutation : catalogue.apply({.kind = kind, .per_mille = 300}, SimTime(round))) {
                const auto revision = catalogue.revision(mutation.item);
                INFO(to_string(kind) << " of " << mutation.item << ", change " << revision);
                CHECK(mutation.touches == really_different(catalogue.product(mutation.item, revision - 1),
                                                           catalogue.product(mutation.item)));
                for (std::size_t facet = 0; facet < 3; ++facet) {
                    CHECK((mutation.touches.at(facet) || !reach(kind).least.at(facet)));
                    CHECK((!mutation.touches.at(facet) || reach(kind).most.at(facet)));
                }
            }
        }
    }
}

TEST_CASE("changes: products stay plausible whatever happens to them") {
    Catalogue catalogue({.seed = 2, .sellers = 1, .products = 10});

    for (int round = 0; round < 100; ++round) {
        for (const auto kind : changing_kinds) catalogue.apply({.kind = kind, .per_mille = 1000}, SimTime(round));
    }

    for (const auto item : catalogue.page(0, 0, 10)) {
        const auto product = catalogue.product(item);
        CHECK(catalogue.revision(item) == 500);
        CHECK(product.discount_price > 0);
        CHECK(product.discount_price <= product.selling_price);
        CHECK(product.selling_price < product.normal_price);
        CHECK(product.description.size() < 6500);
        CHECK(product.images.size() <= 5);
        std::set<std::int64_t> numbers;
        for (const auto& option : product.options) numbers.insert(option.no);
        CHECK(numbers.size() == product.options.size());
        CHECK(product.options.size() <= 12);
    }
}

TEST_CASE("changes: prices stay prices however often they change") {
    const Catalogue catalogue({.seed = 2, .sellers = 1, .products = 3});

    for (const auto item : catalogue.page(0, 0, 3)) {
        auto product = catalogue.product(item);
        std::int64_t highest = 0;
        for (std::size_t turn = 0; turn < 50'000; ++turn) {
            const auto before = product.discount_price;
            change_product(product, ChangeKind::price, 2, turn);
            highest = std::max(highest, product.normal_price);
            REQUIRE(product.normal_price >= 60'000);
            REQUIRE(product.normal_price <= 20'000'000);
            REQUIRE(product.discount_price > 0);
            REQUIRE(product.discount_price != before);
            REQUIRE(product.discount_price <= product.selling_price);
            REQUIRE(product.selling_price < product.normal_price);
            REQUIRE(product.discount_rate > 0);
            REQUIRE(product.discount_rate < 100);
        }
        CHECK(highest == 20'000'000);
    }
}

TEST_CASE("changes: stock runs out and comes back") {
    Catalogue catalogue({.seed = 4, .sellers = 1, .products = 200});

    std::size_t ran_out = 0;
    std::size_t came_back = 0;
    for (const auto& mutation : catalogue.apply({.kind = ChangeKind::stock, .count = 200}, SimTime(1))) {
        const bool before = catalogue.product(mutation.item, 0).is_sold_out();
        const bool after = catalogue.product(mutation.item).is_sold_out();
        ran_out += !before && after ? 1U : 0U;
        came_back += before && !after ? 1U : 0U;
    }

    CHECK(ran_out > 0);
    CHECK(came_back > 0);
}

TEST_CASE("changes: a product without options gets its first one") {
    Catalogue catalogue({.seed = 4, .sellers = 1, .products = 100});
    const auto items = catalogue.page(0, 0, 100);
    const auto bare = std::ranges::find_if(items, [&](ItemNo item) { return catalogue.product(item).options.empty(); });
    REQUIRE(bare != items.end());

    catalogue.apply({.kind = ChangeKind::options, .items = {*bare}}, SimTime(1));

    const auto product = catalogue.product(*bare);
    CHECK(product.options.size() == 1);
    CHECK(product.stock == product.options.front().stock);
}

TEST_CASE("changes: the same wishes in the same order come out the same") {
    Catalogue first({.seed = 9, .sellers = 3, .products = 50});
    Catalogue second({.seed = 9, .sellers = 3, .products = 50});

    for (int round = 0; round < 5; ++round) {
        for (auto* const catalogue : {&first, &second}) {
            catalogue->apply({.kind = ChangeKind::remove, .per_mille = 100}, SimTime(round));
            catalogue->apply({.kind = ChangeKind::price, .count = 10}, SimTime(round));
            catalogue->apply({.kind = ChangeKind::add, .count = 3}, SimTime(round));
            catalogue->apply({.kind = ChangeKind::restore, .count = 4}, SimTime(round));
        }
    }

    REQUIRE(first.mutations().size() == second.mutations().size());
    for (std::size_t i = 0; i < first.mutations().size(); ++i) {
        CHECK(first.mutations()[i].number == i);
        CHECK(first.mutations()[i].item == second.mutations()[i].item);
        CHECK(first.mutations()[i].touches == second.mutations()[i].touches);
    }
    for (int seller = 0; seller < 3; ++seller) CHECK(first.page(seller, 0, 100) == second.page(seller, 0, 100));
}

TEST_CASE("changes: no product is chosen twice for one wish") {
    Catalogue catalogue({.seed = 9, .sellers = 3, .products = 50});

    std::set<ItemNo> chosen;
    for (const auto& mutation : catalogue.apply({.kind = ChangeKind::images, .count = 150}, SimTime(1)))
        chosen.insert(mutation.item);

    CHECK(chosen.size() == 150);
}

TEST_CASE("changes: what is added is the newest, and what was there stays where it was") {
    Catalogue catalogue({.seed = 9, .sellers = 2, .products = 5});
    const auto before = catalogue.page(1, 0, 10);

    const auto made = catalogue.apply({.kind = ChangeKind::add, .seller = 1, .count = 2}, SimTime(5));

    const auto after = catalogue.page(1, 0, 10);
    REQUIRE(after.size() == 7);
    CHECK(after[0] == made[1].item);
    CHECK(after[1] == made[0].item);
    CHECK(std::ranges::equal(std::span(after).subspan(2), before));
    CHECK(made[0].touches == std::array{true, true, true});
    CHECK(made[0].at == SimTime(5));
    CHECK(catalogue.live_count(0) == 5);
}

TEST_CASE("changes: what was removed and restored is as it was, where it was") {
    Catalogue catalogue({.seed = 9, .sellers = 2, .products = 5});
    const auto before = catalogue.page(0, 0, 10);
    const auto item = before[2];

    catalogue.apply({.kind = ChangeKind::price, .items = {item}}, SimTime(1));
    const auto product = catalogue.product(item);
    const auto removed = catalogue.apply({.kind = ChangeKind::remove, .items = {item}}, SimTime(2));
    CHECK_FALSE(catalogue.is_live(item));
    CHECK(catalogue.has_been(item));
    CHECK(catalogue.live_count(0) == 4);
    const auto restored = catalogue.apply({.kind = ChangeKind::restore, .per_mille = 1000}, SimTime(3));

    CHECK(removed.front().touches == std::array{true, true, true});
    REQUIRE(restored.size() == 1);
    CHECK(restored.front().item == item);
    CHECK(catalogue.is_live(item));
    CHECK(catalogue.page(0, 0, 10) == before);
    CHECK(really_different(product, catalogue.product(item)) == std::array{false, false, false});
    CHECK(catalogue.history(item).size() == 3);
}

TEST_CASE("changes: a wish that breaks a rule changes nothing and names the rule") {
    Catalogue catalogue({.seed = 1, .sellers = 2, .products = 5});
    const auto mine = catalogue.page(0, 0, 5);
    catalogue.apply({.kind = ChangeKind::remove, .items = {mine[4]}}, SimTime(0));

    CHECK_THAT(refusal(catalogue, {}), ContainsSubstring("must choose something"));
    CHECK_THAT(refusal(catalogue, {.items = {mine[0], 42}}), ContainsSubstring("42 never was on sale"));
    CHECK_THAT(refusal(catalogue, {.items = {mine[0], mine[4]}}), ContainsSubstring("must be on sale"));
    CHECK_THAT(refusal(catalogue, {.kind = ChangeKind::restore, .items = {mine[0]}}),
               ContainsSubstring("must not be on sale"));
    CHECK_THAT(refusal(catalogue, {.seller = 1, .items = {mine[0]}}), ContainsSubstring("of the seller"));
    CHECK_THAT(refusal(catalogue, {.items = {mine[0], mine[0]}}), ContainsSubstring("once"));
    CHECK_THAT(refusal(catalogue, {.seller = 2, .count = 1}), ContainsSubstring("no such seller"));
    CHECK_THAT(refusal(catalogue, {.count = 10}), ContainsSubstring("at most the 9 on sale"));
    CHECK_THAT(refusal(catalogue, {.seller = 0, .count = 5}), ContainsSubstring("at most the 4 on sale"));
    CHECK_THAT(refusal(catalogue, {.kind = ChangeKind::restore, .count = 2}), ContainsSubstring("1 that were removed"));
    CHECK_THAT(refusal(catalogue, {.kind = ChangeKind::restore, .seller = 1, .count = 1}),
               ContainsSubstring("nothing is there to restore"));
    CHECK_THAT(refusal(catalogue, {.kind = ChangeKind::add, .items = {mine[0]}}), ContainsSubstring("names none"));
    CHECK_THAT(refusal(catalogue, {.count = -1}), ContainsSubstring("count"));
    CHECK_THAT(refusal(catalogue, {.per_mille = 1001}), ContainsSubstring("perMille"));
}

TEST_CASE("changes: kinds are read by the names they are written with") {
    for (const auto kind : {ChangeKind::price, ChangeKind::options, ChangeKind::add, ChangeKind::restore})
        CHECK(parse_change_kind(to_string(kind)) == kind);
    CHECK_FALSE(parse_change_kind("Price"));
    CHECK_FALSE(parse_change_kind(""));
}
