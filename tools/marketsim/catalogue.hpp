// What the simulated marketplace sells: products made from a seed whenever somebody looks at them, and every change to them, kept as
// ground truth. Memory grows with the number of products by a few bytes each, and with the changes.
#pragma once
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <functional>
#include <optional>
#include <span>

#include "product.hpp"
#include "sim_time.hpp"

namespace marketsim {

enum class Facet : std::uint8_t { listing, detail, option };
inline constexpr std::array facets{Facet::listing, Facet::detail, Facet::option};
std::string_view to_string(Facet facet);

// restore: a product that was removed is on sale again, as it was.
enum class ChangeKind : std::uint8_t { price, stock, options, images, description, add, remove, restore };
std::string_view to_string(ChangeKind kind);
bool is_coming_or_going(ChangeKind kind);
std::optional<ChangeKind> parse_change_kind(std::string_view text);

// A wish: `items` where they are named, else `count`, else `per_mille` of what is on sale (of the seller, or of all), but at least
// one. A restore chooses among what was removed; an add names no items, and without a seller each one gets any.
struct Change {
    ChangeKind kind = ChangeKind::price;
    std::optional<int> seller;
    std::vector<ItemNo> items;
    std::int64_t count = 0;
    int per_mille = 0;
};

// One change of one product that happened.
struct Mutation {
    std::size_t number = 0;  // its place in mutations()
    SimTime at{};
    ChangeKind kind = ChangeKind::price;
    ItemNo item = 0;
    std::array<bool, 3> touches{};  // by Facet: what really is different now; all of them where it came or went
};

class Catalogue {
  public:
    struct Size {
        std::uint64_t seed = 1;
        int sellers = 3;
        int products = 1000;  // of each seller
    };
    explicit Catalogue(Size size);  // std::invalid_argument: no seller, or fewer than no products

    int sellers() const { return size_.sellers; }
    static std::string seller_id(int seller);  // seller_1, seller_2, ...
    std::optional<int> find_seller(std::string_view seller_id) const;
    static std::int64_t seller_no(int seller);

    bool has_been(ItemNo item) const;  // on sale, now or earlier
    bool is_live(ItemNo item) const;
    int seller_of(ItemNo item) const;  // std::out_of_range, here and below, for an item that never was
    std::size_t live_count(int seller) const;
    // All items that a seller ever had, oldest first: their number, and each.
    std::uint32_t made_count(int seller) const { return made_.at(static_cast<std::size_t>(seller)); }
    ItemNo item_at(int seller, std::uint32_t place) const;
    // The items on sale, newest first: `count` of them from `first` on, fewer at the end.
    std::vector<ItemNo> page(int seller, std::size_t first, std::size_t count) const;

    // How many changes a product has seen, and the product after so many of them.
    std::size_t revision(ItemNo item) const;
    Product product(ItemNo item) const { return product(item, revision(item)); }
    Product product(ItemNo item, std::size_t revision) const;
    // Shows the product at every revision from `first` on.
    void replay(ItemNo item, std::size_t first, const std::function<void(std::size_t, const Product&)>& show) const;
    // The changes of one product, oldest first, as places in mutations().
    std::span<const std::uint32_t> history(ItemNo item) const;
    const std::vector<Mutation>& mutations() const { return mutations_; }

    // What came of it, in order. Throws std::invalid_argument, with the rule that was broken, and changes nothing.
    std::vector<Mutation> apply(const Change& change, SimTime now);
    // The same in two steps, the second of which may be taken a few items at a time, as long as nothing else changes between: the items
    // that a change will be of, those that it will add included; and the change of some of them, in that order.
    std::vector<ItemNo> choose(const Change& change) const;
    std::vector<Mutation> make(ChangeKind kind, std::span<const ItemNo> items, SimTime now);

  private:
    std::uint32_t place_of(ItemNo item) const;
    bool is_eligible(ChangeKind kind, ItemNo item) const;
    std::vector<ItemNo> eligible(const Change& change) const;
    void check(const Change& change) const;
    std::array<bool, 3> touches_of(ChangeKind kind, ItemNo item) const;
    std::vector<ItemNo> to_add(const Change& change) const;
    void take_off(std::span<const ItemNo> items);
    void put_back(std::span<const ItemNo> items);
    std::vector<std::vector<std::uint32_t>> by_seller(std::span<const ItemNo> items) const;

    Size size_;
    std::vector<std::vector<std::uint32_t>> live_;  // by seller: places in its catalogue, oldest first
    std::vector<std::uint32_t> made_;               // by seller: how many products it ever had
    std::vector<Mutation> mutations_;
    boost::unordered_flat_map<ItemNo, std::vector<std::uint32_t>> history_;
};

}  // namespace marketsim
