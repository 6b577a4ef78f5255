// How a wish for changes becomes changes: all of them, or none and the rule that it breaks.
#include <algorithm>
#include <stdexcept>
#include <unordered_set>

#include "catalogue.hpp"
#include "dice.hpp"
#include "product_change.hpp"
#include "product_maker.hpp"

namespace marketsim {
namespace {

constexpr std::uint64_t choosing = 0xC0;  // a stream of its own, apart from those of the products

// The first `count` of a shuffled deck.
std::vector<ItemNo> drawn(std::vector<ItemNo> deck, std::size_t count, Dice dice) {
    for (std::size_t i = 0; i < count; ++i) std::swap(deck[i], deck[i + dice.below(deck.size() - i)]);
    deck.resize(count);
    return deck;
}

std::size_t wanted(const Change& change, std::size_t of) {
    if (change.count > 0) return static_cast<std::size_t>(change.count);
    return std::max<std::size_t>(1, of * static_cast<std::size_t>(change.per_mille) / 1000);
}

[[noreturn]] void refuse(std::string_view field, std::string_view rule) {
    throw std::invalid_argument(std::string(field).append(": ").append(rule));
}

std::string numbered(ItemNo item, std::string_view what) {
    return std::to_string(item).append(" ").append(what);
}

}  // namespace

bool Catalogue::is_eligible(ChangeKind kind, ItemNo item) const {
    return is_live(item) != (kind == ChangeKind::restore);
}

std::vector<ItemNo> Catalogue::eligible(const Change& change) const {
    std::vector<ItemNo> items;
    for (int seller = 0; seller < size_.sellers; ++seller) {
        if (change.seller && *change.seller != seller) continue;
        const auto index = static_cast<std::size_t>(seller);
        if (change.kind != ChangeKind::restore) {
            for (const auto place : live_[index]) items.push_back(item_at(seller, place));
            continue;
        }
        auto next = live_[index].begin();
        for (std::uint32_t place = 0; place < made_[index]; ++place) {
            if (next != live_[index].end() && *next == place) {
                ++next;
            } else {
                items.push_back(item_at(seller, place));
            }
        }
    }
    return items;
}

void Catalogue::check(const Change& change) const {
    if (change.seller && (*change.seller < 0 || *change.seller >= size_.sellers))
        refuse("seller", "there is no such seller");
    if (change.count < 0) refuse("count", "must be one or more");
    if (change.per_mille < 0 || change.per_mille > 1000) refuse("perMille", "must be from 1 to 1000");
    if (change.items.empty() && change.count == 0 && change.per_mille == 0)
        refuse("items", "one of items, count and perMille must choose something");
    if (!change.items.empty() && change.kind == ChangeKind::add)
        refuse("items", "an add makes new items, it names none");

    std::unordered_set<ItemNo> seen;
    for (const auto item : change.items) {
        if (!has_been(item)) refuse("items", numbered(item, "never was on sale"));
        if (change.seller && seller_of(item) != *change.seller)
            refuse("items", numbered(item, "must be an item of the seller that is named"));
        if (!is_eligible(change.kind, item))
            refuse("items", numbered(item, is_live(item) ? "must not be on sale" : "must be on sale"));
        if (!seen.insert(item).second) refuse("items", numbered(item, "must be named once"));
    }
}

std::vector<ItemNo> Catalogue::choose(const Change& change) const {
    check(change);
    if (change.kind == ChangeKind::add) return to_add(change);
    if (!change.items.empty()) return change.items;
    auto candidates = eligible(change);
    const bool restores = change.kind == ChangeKind::restore;
    if (candidates.empty()) refuse("items", restores ? "nothing is there to restore" : "nothing is on sale");
    const auto count = wanted(change, candidates.size());
    if (count > candidates.size())
        refuse("count", std::string("must be at most the ")
                            .append(std::to_string(candidates.size()))
                            .append(restores ? " that were removed" : " on sale"));
    return drawn(std::move(candidates), count, Dice(size_.seed, choosing, mutations_.size()));
}

std::vector<ItemNo> Catalogue::to_add(const Change& change) const {
    constexpr std::int64_t most = 10'000'000;
    if (change.count > most) refuse("count", "must be at most 10000000");
    std::size_t on_sale = 0;
    for (int seller = 0; seller < size_.sellers; ++seller) {
        if (!change.seller || *change.seller == seller) on_sale += live_count(seller);
    }
    Dice dice(size_.seed, choosing, mutations_.size());
    auto made = made_;
    std::vector<ItemNo> items(wanted(change, on_sale));
    for (auto& item : items) {
        const auto seller = change.seller ? *change.seller : static_cast<int>(dice.below(live_.size()));
        item = item_at(seller, made[static_cast<std::size_t>(seller)]++);
    }
    return items;
}

// Their places, in order.
std::vector<std::vector<std::uint32_t>> Catalogue::by_seller(std::span<const ItemNo> items) const {
    std::vector<std::vector<std::uint32_t>> places(live_.size());
    for (const auto item : items)
        places[static_cast<std::size_t>((item - first_item_no) % size_.sellers)].push_back(place_of(item));
    for (auto& each : places) std::ranges::sort(each);
    return places;
}

void Catalogue::take_off(std::span<const ItemNo> items) {
    const auto places = by_seller(items);
    for (std::size_t seller = 0; seller < places.size(); ++seller) {
        auto next = places[seller].begin();
        const auto end = places[seller].end();
        if (next == end) continue;
        std::erase_if(live_[seller], [&](std::uint32_t place) {
            while (next != end && *next < place) ++next;
            return next != end && *next == place;
        });
    }
}

void Catalogue::put_back(std::span<const ItemNo> items) {
    const auto places = by_seller(items);
    for (std::size_t seller = 0; seller < places.size(); ++seller) {
        if (places[seller].empty()) continue;
        std::vector<std::uint32_t> live;
        live.reserve(live_[seller].size() + places[seller].size());
        std::ranges::merge(live_[seller], places[seller], std::back_inserter(live));
        live_[seller] = std::move(live);
        made_[seller] = std::max(made_[seller], live_[seller].back() + 1);
    }
}

std::vector<Mutation> Catalogue::make(ChangeKind kind, std::span<const ItemNo> items, SimTime now) {
    if (kind == ChangeKind::add || kind == ChangeKind::restore) put_back(items);
    if (kind == ChangeKind::remove) take_off(items);
    std::vector<Mutation> made;
    made.reserve(items.size());
    for (const auto item : items) {
        Mutation mutation{.number = mutations_.size(), .at = now, .kind = kind, .item = item};
        mutation.touches = touches_of(kind, item);
        history_[item].push_back(static_cast<std::uint32_t>(mutation.number));
        mutations_.push_back(mutation);
        made.push_back(mutation);
    }
    return made;
}

// Nobody needs to look at a product to know that all of it came or went.
std::array<bool, 3> Catalogue::touches_of(ChangeKind kind, ItemNo item) const {
    if (is_coming_or_going(kind)) return {true, true, true};
    auto product_now = product(item);
    return change_product(product_now, kind, size_.seed, revision(item));
}

std::vector<Mutation> Catalogue::apply(const Change& change, SimTime now) {
    return make(change.kind, choose(change), now);
}

}  // namespace marketsim
