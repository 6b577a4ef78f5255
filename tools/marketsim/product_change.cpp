#include "product_change.hpp"

#include <algorithm>

#include "description.hpp"
#include "product_maker.hpp"
#include "words.hpp"

namespace marketsim {
namespace {

constexpr std::size_t most_options = 12;
constexpr std::size_t most_images = 5;
// Prices drift upwards, and a product may change for years.
constexpr std::int64_t lowest_normal_price = 60'000;
constexpr std::int64_t highest_normal_price = 20'000'000;

void change_price(Product& product, Dice& dice) {
    const auto before = product.discount_price;
    auto normal = product.normal_price;
    if (dice.percent(25))
        normal =
            std::clamp(normal * dice.between(85, 120) / 100 / 100 * 100, lowest_normal_price, highest_normal_price);
    auto prices = discounted(normal, dice);
    if (prices.discount == before) prices.discount -= 100;
    set_prices(product, prices);
}

Option& one_option(Product& product, Dice& dice) {
    return product.options[dice.below(product.options.size())];
}

// Another number than before, never below zero.
std::int64_t other_stock(std::int64_t before, Dice& dice) {
    const auto now = dice.between(0, 20);
    return now < before ? now : now + 1;
}

void change_stock(Product& product, Dice& dice) {
    const bool sells_out = product.stock > 0 && dice.percent(25);
    if (sells_out) {
        for (auto& option : product.options) option.stock = 0;
        product.stock = 0;
    } else if (product.options.empty()) {
        product.stock = other_stock(product.stock, dice);
    } else {
        auto& stock = one_option(product, dice).stock;
        stock = other_stock(stock, dice);
        count_stock(product);
    }
}

void add_option(Product& product, std::size_t turn, Dice& dice) {
    auto& option = product.options.emplace_back();
    option.no = option_no(product.item_no, most_options + turn);
    option.color = dice.one_of(colors());
    option.size = dice.percent(50) ? "추가 L" : "추가 XL";
    option.size_guide = dice.one_of(size_guides());
    option.stock = dice.between(0, 9);
}

void change_options(Product& product, std::size_t turn, Dice& dice) {
    const auto what = dice.below(3);
    if (product.options.empty() || (what == 0 && product.options.size() < most_options)) {
        add_option(product, turn, dice);
    } else if (what == 1) {
        product.options.erase(product.options.begin() +
                              static_cast<std::ptrdiff_t>(dice.below(product.options.size())));
    } else {
        one_option(product, dice).size = "변경 " + std::to_string(turn + 1);
    }
    count_stock(product);
}

void change_images(Product& product, Dice& dice) {
    auto& images = product.images;
    const auto what = dice.below(4);
    if (what == 0 && images.size() < most_images) {
        images.push_back(make_image(product.seller, dice));
    } else if (what == 1 && images.size() > 1) {
        images.erase(images.begin() + static_cast<std::ptrdiff_t>(dice.below(images.size())));
    } else if (what == 2 && images.size() > 1) {
        std::ranges::rotate(images, images.begin() + 1);
    } else {
        images[dice.below(images.size())] = make_image(product.seller, dice);
    }
}

}  // namespace

Touches change_product(Product& product, ChangeKind kind, std::uint64_t seed, std::size_t turn) {
    Dice dice(seed, static_cast<std::uint64_t>(product.item_no), turn + 1);
    const auto stock_before = product.stock;
    switch (kind) {
        case ChangeKind::price:
            change_price(product, dice);
            return {true, true, false};
        case ChangeKind::stock:
            change_stock(product, dice);
            return {false, true, !product.options.empty()};
        case ChangeKind::options:
            change_options(product, turn, dice);
            return {false, product.stock != stock_before, true};
        case ChangeKind::images:
            change_images(product, dice);
            return {true, true, false};
        case ChangeKind::description:
            product.description = make_description(product, turn + 1, dice);
            return {false, true, false};
        case ChangeKind::add:
        case ChangeKind::remove:
        case ChangeKind::restore:
            break;
    }
    return {true, true, true};
}

}  // namespace marketsim
