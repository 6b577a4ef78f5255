// When a seller's catalogue is crawled: one schedule per seller, which changes with the seller. What it did must reach
// the rules that fire crawls, so each change yields an event that is stored with it, in the scheduler outbox.
#pragma once
#include "domain/ids.hpp"
#include "domain/schedule_rule.hpp"

namespace crawler {

enum class ScheduleStatus { active, inactive, failed };
constexpr auto names(ScheduleStatus) {
    return std::to_array<EnumName<ScheduleStatus>>({{ScheduleStatus::active, "ACTIVE"},
                                                    {ScheduleStatus::inactive, "INACTIVE"},
                                                    {ScheduleStatus::failed, "FAILED"}});
}

enum class ScheduleVerb { change_interval, activate, deactivate, fail };
constexpr auto names(ScheduleVerb) {
    return std::to_array<EnumName<ScheduleVerb>>({{ScheduleVerb::change_interval, "change the interval of"},
                                                  {ScheduleVerb::activate, "activate"},
                                                  {ScheduleVerb::deactivate, "deactivate"},
                                                  {ScheduleVerb::fail, "fail"}});
}

inline constexpr StateTable schedule_table{
    "CrawlingSchedule", ScheduleStatus::active,
    std::to_array<Transition<ScheduleStatus, ScheduleVerb>>(
        {{ScheduleStatus::active, ScheduleVerb::change_interval, ScheduleStatus::active},
         {ScheduleStatus::active, ScheduleVerb::deactivate, ScheduleStatus::inactive},
         {ScheduleStatus::failed, ScheduleVerb::deactivate, ScheduleStatus::inactive},
         {ScheduleStatus::inactive, ScheduleVerb::activate, ScheduleStatus::active},
         {ScheduleStatus::failed, ScheduleVerb::activate, ScheduleStatus::active},
         {ScheduleStatus::active, ScheduleVerb::fail, ScheduleStatus::failed, "its rule could not be put"},
         {ScheduleStatus::inactive, ScheduleVerb::fail, ScheduleStatus::failed, "its rule could not be removed"}})};

// What the scheduler outbox is told to do.
enum class SchedulerOutboxType { schedule_created, schedule_updated, schedule_deleted };
constexpr auto names(SchedulerOutboxType) {
    return std::to_array<EnumName<SchedulerOutboxType>>({{SchedulerOutboxType::schedule_created, "SCHEDULE_CREATED"},
                                                         {SchedulerOutboxType::schedule_updated, "SCHEDULE_UPDATED"},
                                                         {SchedulerOutboxType::schedule_deleted, "SCHEDULE_DELETED"}});
}

enum class ScheduleEventType { registered, updated, deactivated, reactivated };
constexpr auto names(ScheduleEventType) {
    return std::to_array<EnumName<ScheduleEventType>>({{ScheduleEventType::registered, "ScheduleRegistered"},
                                                       {ScheduleEventType::updated, "ScheduleUpdated"},
                                                       {ScheduleEventType::deactivated, "ScheduleDeactivated"},
                                                       {ScheduleEventType::reactivated, "ScheduleReactivated"}});
}

struct ScheduleEvent {
    ScheduleEventType type{};
    ScheduleId schedule;
    SellerId seller;
    ScheduleRule rule;  // as it shall be from now on; of a deactivated schedule, the one to remove
    TimePoint at;

    SchedulerOutboxType outbox_type() const;
};

struct NewSchedule;

class CrawlingSchedule {
  public:
    struct State {
        ScheduleId id;
        SellerId seller;
        CrawlingInterval interval;
        ScheduleStatus status = ScheduleStatus::active;
        std::string failure_reason;  // of FAILED
        TimePoint created_at;
        TimePoint updated_at;
        std::int64_t revision = 0;  // counts saves

        friend bool operator==(const State&, const State&) = default;
    };

    static NewSchedule create(ScheduleId id, SellerId seller, CrawlingInterval interval, TimePoint now);
    static CrawlingSchedule restore(State state) { return CrawlingSchedule(std::move(state)); }

    // ACTIVE only. The interval it has already is no change: no event, and nothing to send.
    Result<std::optional<ScheduleEvent>> change_interval(CrawlingInterval interval, TimePoint now);
    Result<ScheduleEvent> deactivate(TimePoint now);  // ACTIVE, FAILED -> INACTIVE
    Result<ScheduleEvent> activate(TimePoint now);    // INACTIVE, FAILED -> ACTIVE
    // -> FAILED: the rule could not be put or removed in the end. Activating or deactivating tries anew.
    Result<> mark_failed(std::string reason, TimePoint now);

    ScheduleRule rule() const { return rule_of(state_.seller, state_.interval); }
    const State& state() const { return state_; }

  private:
    explicit CrawlingSchedule(State state) : state_(std::move(state)) {}
    Result<> move(ScheduleVerb verb, ScheduleStatus to, TimePoint now);
    ScheduleEvent event(ScheduleEventType type) const;
    State state_;
};

struct NewSchedule {
    CrawlingSchedule schedule;
    ScheduleEvent event;
};

}  // namespace crawler
