// What the outboxes carry: the event for the product server and the order for the scheduler, as JSON in canonical form, written and
// read back.
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "domain/product.hpp"
#include "domain/result.hpp"
#include "domain/schedule.hpp"

namespace crawler::codec {

// {"changedFields":[{"after":3,"before":2,"path":"/detail/stock"}],"eventType":"PRODUCT_UPDATED","itemNo":118005032,
//  "occurredAt":"2026-11-18T09:00:00.000000Z","productData":{"detail":{...},"listing":{...},"option":{...}},
//  "reason":"DETAIL_CHANGED","sellerId":"dmont","version":8}
// `before` or `after` is null where the field was not there or is no longer. Of a product that was created every field came, so
// changedFields is empty and productData says it all; reading makes the diff of it again. One that was deleted names every field
// that the server loses, which need not be what productData, the last known, has. A facet that is not known is not in it.
struct ProductPayload {
    ProductEvent event;
    std::array<std::string, 3> facets;  // canonical texts by FacetKind; put in as they are, unread

    friend bool operator==(const ProductPayload&, const ProductPayload&) = default;
};

// The event, and the product as it is after it.
ProductPayload payload_of(ProductEvent event, const Product& product);
std::string write_product_payload(const ProductPayload& payload);
// invalid: not what write_product_payload writes.
Result<ProductPayload> read_product_payload(std::string_view text);

// {"eventType":"SCHEDULE_CREATED","input":{"sellerId":"dmont"},"ruleName":"mustit-crawler-dmont","scheduleExpression":"rate(1 day)"}
// What the rule fires at is known to whoever keeps the rules. An order may name another target: "targetArn":"arn:...".
struct SchedulePayload {
    SchedulerOutboxType type{};
    std::string rule_name;
    std::string schedule_expression;
    std::string target_arn;  // empty: none is named
    std::string seller;      // of the input

    friend bool operator==(const SchedulePayload&, const SchedulePayload&) = default;
};

std::string write_schedule_payload(const SchedulePayload& payload);
// Any JSON object with these, targetArn or not. invalid: one is missing, not text or blank, no type of order, or no
// rule could have that name or rate; the detail names it by its pointer.
Result<SchedulePayload> read_schedule_payload(std::string_view text);

}  // namespace crawler::codec
