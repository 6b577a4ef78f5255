#include "catalogue.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <stdexcept>

#include "product_change.hpp"
#include "product_maker.hpp"

namespace marketsim {
namespace {

constexpr std::array<std::string_view, 3> facet_names{"listing", "detail", "option"};
constexpr std::array<std::string_view, 8> kind_names{"price",       "stock", "options", "images",
                                                     "description", "add",   "remove",  "restore"};
constexpr std::string_view seller_prefix = "seller_";
constexpr std::int64_t first_seller_no = 678;

}  // namespace

std::string_view to_string(Facet facet) {
    return facet_names.at(static_cast<std::size_t>(facet));
}

std::string_view to_string(ChangeKind kind) {
    return kind_names.at(static_cast<std::size_t>(kind));
}

bool is_coming_or_going(ChangeKind kind) {
    return kind == ChangeKind::add || kind == ChangeKind::remove || kind == ChangeKind::restore;
}

std::optional<ChangeKind> parse_change_kind(std::string_view text) {
    const auto found = std::ranges::find(kind_names, text);
    if (found == kind_names.end()) return std::nullopt;
    return static_cast<ChangeKind>(found - kind_names.begin());
}

Catalogue::Catalogue(Size size) : size_(size) {
    if (size.sellers < 1) throw std::invalid_argument("sellers: must be one or more");
    if (size.products < 0) throw std::invalid_argument("products: must be none or more");
    std::vector<std::uint32_t> places(static_cast<std::size_t>(size.products));
    std::iota(places.begin(), places.end(), 0U);
    live_.assign(static_cast<std::size_t>(size.sellers), places);
    made_.assign(live_.size(), static_cast<std::uint32_t>(size.products));
}

std::string Catalogue::seller_id(int seller) {
    return std::string(seller_prefix).append(std::to_string(seller + 1));
}

std::optional<int> Catalogue::find_seller(std::string_view seller_id) const {
    if (!seller_id.starts_with(seller_prefix)) return std::nullopt;
    const auto digits = seller_id.substr(seller_prefix.size());
    int number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc{} || end != digits.data() + digits.size() || digits.starts_with('0')) return std::nullopt;
    if (number < 1 || number > size_.sellers) return std::nullopt;
    return number - 1;
}

std::int64_t Catalogue::seller_no(int seller) {
    return first_seller_no + seller;
}

bool Catalogue::has_been(ItemNo item) const {
    if (item < first_item_no) return false;
    const auto index = item - first_item_no;
    return index / size_.sellers < made_[static_cast<std::size_t>(index % size_.sellers)];
}

bool Catalogue::is_live(ItemNo item) const {
    return has_been(item) &&
           std::ranges::binary_search(live_[static_cast<std::size_t>(seller_of(item))], place_of(item));
}

int Catalogue::seller_of(ItemNo item) const {
    if (!has_been(item)) throw std::out_of_range(std::to_string(item) + " never was on sale");
    return static_cast<int>((item - first_item_no) % size_.sellers);
}

std::uint32_t Catalogue::place_of(ItemNo item) const {
    return static_cast<std::uint32_t>((item - first_item_no) / size_.sellers);
}

ItemNo Catalogue::item_at(int seller, std::uint32_t place) const {
    return first_item_no + ItemNo{place} * size_.sellers + seller;
}

std::size_t Catalogue::live_count(int seller) const {
    return live_.at(static_cast<std::size_t>(seller)).size();
}

std::vector<ItemNo> Catalogue::page(int seller, std::size_t first, std::size_t count) const {
    const auto& places = live_.at(static_cast<std::size_t>(seller));
    std::vector<ItemNo> items;
    if (first >= places.size()) return items;
    const auto end = places.size() - first;
    const auto begin = end - std::min(end, count);
    items.reserve(end - begin);
    for (auto i = end; i-- > begin;) items.push_back(item_at(seller, places[i]));
    return items;
}

std::size_t Catalogue::revision(ItemNo item) const {
    return history(item).size();
}

std::span<const std::uint32_t> Catalogue::history(ItemNo item) const {
    if (!has_been(item)) throw std::out_of_range(std::to_string(item) + " never was on sale");
    const auto found = history_.find(item);
    if (found == history_.end()) return {};
    return found->second;
}

Product Catalogue::product(ItemNo item, std::size_t revision) const {
    auto product = make_product({.seed = size_.seed, .seller = seller_of(item), .item_no = item});
    const auto seen = history(item);
    if (revision > seen.size()) throw std::out_of_range(std::to_string(item) + " has not changed so often");
    const auto changes = seen.first(revision);
    for (std::size_t turn = 0; turn < changes.size(); ++turn)
        change_product(product, mutations_[changes[turn]].kind, size_.seed, turn);
    return product;
}

void Catalogue::replay(ItemNo item, std::size_t first,
                       const std::function<void(std::size_t, const Product&)>& show) const {
    auto now = product(item, first);
    show(first, now);
    const auto changes = history(item);
    for (auto turn = first; turn < changes.size(); ++turn) {
        change_product(now, mutations_[changes[turn]].kind, size_.seed, turn);
        show(turn + 1, now);
    }
}

}  // namespace marketsim
