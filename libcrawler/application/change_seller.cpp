#include "application/change_seller.hpp"

#include "application/schedule_order.hpp"

namespace crawler::application {
namespace {

using ports::SellerAndSchedule;
// What the scheduler has to hear, if anything.
using Heard = Result<std::optional<ScheduleEvent>>;

Heard heard(Result<ScheduleEvent> event) {
    if (!event) return event.error();
    return std::optional(*std::move(event));
}

// Where the seller is as wanted and only its rule is not, the rule alone is tried anew.
bool only_rule_failed(const SellerAndSchedule& both, SellerStatus wanted) {
    return both.seller.state().status == wanted && both.schedule.state().status == ScheduleStatus::failed;
}

Heard apply(SellerAndSchedule& both, const ChangeInterval& change, TimePoint now) {
    if (auto changed = both.seller.change_interval(change.interval, now); !changed) return changed.error();
    return both.schedule.change_interval(change.interval, now);
}

Heard apply(SellerAndSchedule& both, const Activate&, TimePoint now) {
    if (!only_rule_failed(both, SellerStatus::active)) {
        if (auto changed = both.seller.activate(now); !changed) return changed.error();
    }
    return heard(both.schedule.activate(now));
}

Heard apply(SellerAndSchedule& both, const Deactivate&, TimePoint now) {
    if (!only_rule_failed(both, SellerStatus::inactive)) {
        if (auto changed = both.seller.deactivate(now); !changed) return changed.error();
    }
    return heard(both.schedule.deactivate(now));
}

Heard apply(SellerAndSchedule& both, const Rename& change, TimePoint now) {
    if (auto changed = both.seller.rename(change.name, now); !changed) return changed.error();
    return std::optional<ScheduleEvent>{};
}

}  // namespace

Async<Result<SellerAndSchedule>> ChangeSeller::handle(SellerId id, SellerChange change) {
    constexpr int most_tries = 2;
    for (int tries = 1;; ++tries) {
        auto both = co_await p_.sellers.find_both(id);
        if (!both) co_return both.error();
        const auto now = p_.clock.now();
        const auto event = std::visit([&](const auto& wanted) { return apply(*both, wanted, now); }, change);
        if (!event) co_return event.error();

        auto order = *event ? std::optional(order_for(**event, p_.ids)) : std::nullopt;
        const auto saved = co_await p_.sellers.save(*both, std::move(order));
        if (saved) co_return std::move(*both);
        // Somebody saved it since it was read, and nothing of ours is stored: once more, on what is there now.
        if (saved.error().code != Errc::conflict || tries == most_tries) co_return saved.error();
    }
}

}  // namespace crawler::application
