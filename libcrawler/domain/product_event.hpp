// What the product server has to hear about one product. Product makes events, the product outbox keeps them until they are
// told. Those that nobody has tried to tell yet may melt into one.
#pragma once
#include <optional>

#include "domain/field_diff.hpp"
#include "domain/outbox.hpp"
#include "domain/seller.hpp"

namespace crawler {

enum class ProductEventType { created, updated, deleted };
constexpr auto names(ProductEventType) {
    return std::to_array<EnumName<ProductEventType>>({{ProductEventType::created, "PRODUCT_CREATED"},
                                                      {ProductEventType::updated, "PRODUCT_UPDATED"},
                                                      {ProductEventType::deleted, "PRODUCT_DELETED"}});
}

enum class ProductEventReason {
    first_complete,  // all facets have come, for the first time
    listing_changed,
    detail_changed,
    option_changed,
    delisted,    // missing from complete listings, twice in a row
    gone,        // its detail answered 404 or 410
    seen_again,  // whatever had lost it sees it again
};
constexpr auto names(ProductEventReason) {
    return std::to_array<EnumName<ProductEventReason>>({{ProductEventReason::first_complete, "FIRST_COMPLETE"},
                                                        {ProductEventReason::listing_changed, "LISTING_CHANGED"},
                                                        {ProductEventReason::detail_changed, "DETAIL_CHANGED"},
                                                        {ProductEventReason::option_changed, "OPTION_CHANGED"},
                                                        {ProductEventReason::delisted, "DELISTED"},
                                                        {ProductEventReason::gone, "GONE"},
                                                        {ProductEventReason::seen_again, "SEEN_AGAIN"}});
}

struct ProductEvent {
    ProductEventType type = ProductEventType::created;
    ProductEventReason reason = ProductEventReason::first_complete;
    ItemNo item = 0;
    SellerId seller;
    std::int64_t version = 0;  // of the product after it; grows from event to event
    // From what the server has to what it shall have. Without the product it has nothing: CREATED brings every field,
    // DELETED takes every field away. So the diffs of events that follow each other always fit together.
    FieldDiff diff;
    TimePoint occurred_at;

    friend bool operator==(const ProductEvent&, const ProductEvent&) = default;
};

// Two events of one product that follow each other, as the one that does what both do; none where nothing is left to tell
// (created and deleted again, or changed there and back). Reason, version and time are the newer's.
std::optional<ProductEvent> coalesce(const ProductEvent& older, const ProductEvent& newer);

// Whether its event may still melt into another. Not once a delivery was tried: it may have arrived, whatever we heard.
inline bool may_coalesce(const OutboxEntry& entry) {
    return entry.state().attempt == 0;
}

}  // namespace crawler
