#include "product_maker.hpp"

#include <algorithm>
#include <array>

#include "catalogue.hpp"
#include "description.hpp"
#include "words.hpp"

namespace marketsim {
namespace {

constexpr std::int64_t first_option_no = 4'300'000'000;
constexpr std::int64_t options_of_an_item = 1 << 20;
constexpr std::size_t most_options = 12;

void append_number(std::string& out, std::uint64_t number, std::size_t digits) {
    std::array<char, 20> text{};
    for (std::size_t i = digits; i-- > 0; number /= 10) text.at(i) = static_cast<char>('0' + number % 10);
    out.append(text.data(), digits);
}

void name_it(Product& product, const Shelf& shelf, Dice& dice) {
    const auto shop = shop_names()[static_cast<std::size_t>(product.seller) % shop_names().size()];
    auto& name = product.name;
    name.reserve(160);
    name.append(shop).append(" ").append(product.brand_kr.empty() ? product.brand : product.brand_kr);
    name.append(" ").append(shelf.header.name).append(" ").append(dice.one_of(styles()));
    name.append(" ").append(shelf.noun).append("(").append(dice.one_of(colors())).append(") ");
    append_number(name, dice.below(100'000'000), 8);
    name.push_back(static_cast<char>('A' + dice.below(26)));
    name.append(" N");
    append_number(name, dice.below(1000), 3);
}

void make_options(Product& product, const Shelf& shelf, Dice& dice) {
    if (dice.percent(12)) return;
    const auto count = static_cast<std::size_t>(dice.between(1, most_options));
    const auto sizes = std::min(count, shelf.sizes.size());
    const auto first_color = dice.below(colors().size());
    const auto guide = dice.one_of(size_guides());
    const bool has_colors = count > sizes || dice.percent(40);
    product.options.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        auto& option = product.options.emplace_back();
        option.no = option_no(product.item_no, i);
        if (has_colors) option.color = colors()[(first_color + i / sizes) % colors().size()];
        option.size = shelf.sizes[i % sizes];
        option.size_guide = guide;
        option.stock = std::max<std::int64_t>(0, dice.between(-3, 9));
    }
}

void stock_up(Product& product, Dice& dice) {
    if (dice.percent(7)) {
        for (auto& option : product.options) option.stock = 0;
        product.stock = 0;
        return;
    }
    product.stock = dice.between(1, 30);
    count_stock(product);
    if (product.stock > 0) return;
    product.options.front().stock = dice.between(1, 9);
    count_stock(product);
}

void decide_shipping(Product& product, Dice& dice) {
    product.shipping_type = dice.percent(75) ? "DOMESTIC" : "OVERSEAS";
    product.shipping_fee = dice.percent(80) ? 0 : dice.between(5, 40) * 500;
    product.delivery_days = dice.percent(10) ? 0 : static_cast<int>(dice.between(1, product.is_overseas() ? 14 : 4));
    if (product.shipping_fee == 0) product.tags.push_back(tag_titles().front());
    for (const auto title : tag_titles().subspan(1)) {
        if (dice.percent(15)) product.tags.push_back(title);
    }
}

}  // namespace

Product make_product(const Origin& origin) {
    Dice dice(origin.seed, static_cast<std::uint64_t>(origin.item_no));
    Product product;
    product.item_no = origin.item_no;
    product.seller = origin.seller;

    const auto& brand = dice.one_of(brands());
    product.brand = brand.name;
    product.brand_kr = brand.name_kr;
    product.brand_code = brand.code;
    const auto& shelf = dice.one_of(shelves());
    product.header = shelf.header;
    product.large = shelf.large;
    product.medium = shelf.medium;
    product.small = shelf.small;
    name_it(product, shelf, dice);

    const auto thousands = dice.between(60, 560);
    const auto luxury = dice.between(1, 6);
    set_prices(product, discounted(1000 * thousands * luxury, dice));
    make_options(product, shelf, dice);
    stock_up(product, dice);
    decide_shipping(product, dice);

    const auto images = static_cast<std::size_t>(dice.between(1, 5));
    product.images.reserve(images);
    for (std::size_t i = 0; i < images; ++i) product.images.push_back(make_image(origin.seller, dice));
    product.item_status = dice.percent(92) ? "새상품" : "중고상품";
    product.origin_country = dice.one_of(countries());
    product.shipping_location = dice.one_of(places_of_dispatch());
    product.description = make_description(product, 0, dice);
    return product;
}

Prices discounted(std::int64_t normal, Dice& dice) {
    const auto selling = normal * (100 - dice.between(5, 60)) / 100 / 100 * 100;
    return {.normal = normal, .selling = selling, .discount = selling * (100 - dice.between(0, 12)) / 100 / 100 * 100};
}

void set_prices(Product& product, const Prices& prices) {
    product.normal_price = prices.normal;
    product.selling_price = prices.selling;
    product.discount_price = prices.discount;
    product.discount_rate = (200 * (prices.normal - prices.discount) + prices.normal) / (2 * prices.normal);
}

std::string make_image(int seller, Dice& dice) {
    constexpr std::string_view hexadecimal = "0123456789abcdef";
    std::string url;
    url.reserve(128);
    url.append("https://image.mustit.co.kr/lib/upload/product/").append(Catalogue::seller_id(seller)).append("/2025/");
    append_number(url, 1 + dice.below(12), 2);
    url.push_back('/');
    for (int half = 0; half < 2; ++half) {
        auto bits = dice.next();
        for (int digit = 0; digit < 16; ++digit, bits >>= 4U) url.push_back(hexadecimal[bits & 0xFU]);
    }
    return url.append(".jpeg");
}

std::int64_t option_no(ItemNo item, std::size_t slot) {
    return first_option_no + (item - first_item_no) * options_of_an_item + static_cast<std::int64_t>(slot);
}

void count_stock(Product& product) {
    if (product.options.empty()) return;
    product.stock = 0;
    for (const auto& option : product.options) product.stock += option.stock;
}

}  // namespace marketsim
