#include "domain/product_event.hpp"

#include <cassert>

namespace crawler {

std::optional<ProductEvent> coalesce(const ProductEvent& older, const ProductEvent& newer) {
    assert(older.item == newer.item);
    const bool had_it = older.type != ProductEventType::created;
    const bool has_it = newer.type != ProductEventType::deleted;
    auto both = newer;
    both.diff = older.diff.then(newer.diff);
    if (had_it && has_it) {
        both.type = ProductEventType::updated;
        if (both.diff.empty()) return std::nullopt;
    } else if (has_it) {
        both.type = ProductEventType::created;
    } else if (had_it) {
        both.type = ProductEventType::deleted;
    } else {
        return std::nullopt;
    }
    return both;
}

}  // namespace crawler
