// Which items a listing showed whole. Who has seen one there knows its appPrice and normalPrice, which a search does not tell.
#pragma once
#include <vector>

#include "product_maker.hpp"

namespace marketsim {

class ListedItems {
  public:
    void note(ItemNo item) {
        const auto place = place_of(item);
        if (place >= listed_.size()) listed_.resize(place + 1);
        listed_[place] = true;
    }
    bool has(ItemNo item) const { return place_of(item) < listed_.size() && listed_[place_of(item)]; }

  private:
    static std::size_t place_of(ItemNo item) { return static_cast<std::size_t>(item - first_item_no); }

    std::vector<bool> listed_;  // a bit for each, by its number
};

}  // namespace marketsim
