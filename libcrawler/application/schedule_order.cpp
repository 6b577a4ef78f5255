#include "application/schedule_order.hpp"

#include "codec/payload.hpp"

namespace crawler::application {

OutboxEntry order_for(const ScheduleEvent& event, ports::IdGenerator& ids) {
    auto id = ids.make<OutboxId>();
    auto key = id.value;
    const auto& seller = event.seller.value();
    auto payload = codec::write_schedule_payload({.type = event.outbox_type(),
                                                  .rule_name = event.rule.name,
                                                  .schedule_expression = event.rule.expression,
                                                  .target_arn = {},
                                                  .seller = seller});
    return OutboxEntry::create({.id = std::move(id),
                                .subject = seller,
                                .payload = std::move(payload),
                                .idempotency_key = std::move(key),
                                .lane = seller},
                               event.at);
}

}  // namespace crawler::application
