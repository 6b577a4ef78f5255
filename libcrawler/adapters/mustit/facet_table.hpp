// What the tables of the three facets share: the keys of a facet in canonical order, each with the slot of its place.
#pragma once
#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

#include "codec/pick.hpp"

namespace crawler::adapters::mustit {

// The keys of a facet. The value of the key at `i` is picked into slot `i`, so a facet is sorted by being written from the front.
template <std::size_t Count>
class FacetKeys {
  public:
    consteval explicit FacetKeys(std::array<std::string_view, Count> names) : names_(names) {
        if (!std::ranges::is_sorted(names_)) throw std::logic_error("the keys of a facet must be in order");
    }

    consteval std::size_t slot(std::string_view name) const {
        const auto found = std::ranges::find(names_, name);
        if (found == names_.end()) throw std::logic_error("the facet has no such key");
        return static_cast<std::size_t>(found - names_.begin());
    }
    // A member that is called the same in the answer and in the facet.
    consteval codec::Member member(std::string_view name, codec::Rule rule,
                                   codec::Need need = codec::Need::required) const {
        return {.name = name, .need = need, .rule = rule, .slot = slot(name)};
    }

    constexpr std::span<const std::string_view> names() const { return names_; }
    static constexpr std::size_t size() { return Count; }

  private:
    std::array<std::string_view, Count> names_;
};

// The values that are there, under their keys.
std::string facet_text(std::span<const std::string_view> keys, const codec::Record& record);

}  // namespace crawler::adapters::mustit
