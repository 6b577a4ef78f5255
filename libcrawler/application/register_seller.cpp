#include "application/register_seller.hpp"

#include "application/schedule_order.hpp"

namespace crawler::application {

Async<Result<ports::SellerAndSchedule>> RegisterSeller::handle(NewSeller wanted) {
    const auto now = p_.clock.now();
    auto seller =
        Seller::enroll(wanted.id, std::move(wanted.name), wanted.interval, now, std::move(wanted.external_code));
    if (!seller) co_return seller.error();
    auto [schedule, registered] =
        CrawlingSchedule::create(p_.ids.make<ScheduleId>(), std::move(wanted.id), wanted.interval, now);

    ports::SellerAndSchedule both{std::move(*seller), std::move(schedule)};
    auto order = order_for(registered, p_.ids);
    const auto added = co_await p_.sellers.add(both, std::move(order));
    if (!added) co_return added.error();
    co_return both;
}

}  // namespace crawler::application
