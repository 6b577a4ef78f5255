#include "domain/schedule.hpp"

namespace crawler {

SchedulerOutboxType ScheduleEvent::outbox_type() const {
    switch (type) {
        case ScheduleEventType::registered:
        case ScheduleEventType::reactivated:
            return SchedulerOutboxType::schedule_created;
        case ScheduleEventType::updated:
            return SchedulerOutboxType::schedule_updated;
        case ScheduleEventType::deactivated:
            break;
    }
    return SchedulerOutboxType::schedule_deleted;
}

NewSchedule CrawlingSchedule::create(ScheduleId id, SellerId seller, CrawlingInterval interval, TimePoint now) {
    CrawlingSchedule schedule(State{
        .id = std::move(id), .seller = std::move(seller), .interval = interval, .created_at = now, .updated_at = now});
    auto registered = schedule.event(ScheduleEventType::registered);
    return {std::move(schedule), std::move(registered)};
}

Result<std::optional<ScheduleEvent>> CrawlingSchedule::change_interval(CrawlingInterval interval, TimePoint now) {
    const auto changed_at = interval == state_.interval ? state_.updated_at : now;
    if (auto moved = move(ScheduleVerb::change_interval, ScheduleStatus::active, changed_at); !moved)
        return moved.error();
    if (interval == state_.interval) return std::optional<ScheduleEvent>{};
    state_.interval = interval;
    return std::optional(event(ScheduleEventType::updated));
}

Result<ScheduleEvent> CrawlingSchedule::deactivate(TimePoint now) {
    if (auto moved = move(ScheduleVerb::deactivate, ScheduleStatus::inactive, now); !moved) return moved.error();
    return event(ScheduleEventType::deactivated);
}

Result<ScheduleEvent> CrawlingSchedule::activate(TimePoint now) {
    if (auto moved = move(ScheduleVerb::activate, ScheduleStatus::active, now); !moved) return moved.error();
    return event(ScheduleEventType::reactivated);
}

Result<> CrawlingSchedule::mark_failed(std::string reason, TimePoint now) {
    if (auto moved = move(ScheduleVerb::fail, ScheduleStatus::failed, now); !moved) return moved;
    state_.failure_reason = std::move(reason);
    return {};
}

Result<> CrawlingSchedule::move(ScheduleVerb verb, ScheduleStatus to, TimePoint now) {
    if (auto moved = schedule_table.move(state_.status, verb, to, state_.id.value); !moved) return moved;
    state_.failure_reason.clear();
    state_.updated_at = now;
    return {};
}

ScheduleEvent CrawlingSchedule::event(ScheduleEventType type) const {
    return {type, state_.id, state_.seller, rule(), state_.updated_at};
}

}  // namespace crawler
