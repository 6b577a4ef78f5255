// Schedules for tests: a_schedule("s-1").of("shop-1").every(days(3)).inactive().build().
#pragma once
#include "domain/schedule.hpp"
#include "support/builders/seller.hpp"

namespace crawler::test {

class ScheduleBuilder {
  public:
    explicit ScheduleBuilder(const std::string& id)
        : state_{.id = {id}, .seller = seller_id(), .interval = {}, .created_at = t0, .updated_at = t0} {}

    ScheduleBuilder of(const std::string& seller) {
        return with([&](auto& s) { s.seller = seller_id(seller); });
    }
    ScheduleBuilder every(CrawlingInterval interval) {
        return with([&](auto& s) { s.interval = interval; });
    }
    ScheduleBuilder in(ScheduleStatus status) {
        return with([&](auto& s) {
            s.status = status;
            if (status == ScheduleStatus::failed) s.failure_reason = "no such bus";
        });
    }
    ScheduleBuilder inactive() { return in(ScheduleStatus::inactive); }
    ScheduleBuilder failed() { return in(ScheduleStatus::failed); }

    CrawlingSchedule build() const { return CrawlingSchedule::restore(state_); }
    operator CrawlingSchedule() const { return build(); }

  private:
    template <class Change>
    ScheduleBuilder with(Change change) const {
        auto next = *this;
        change(next.state_);
        return next;
    }
    CrawlingSchedule::State state_;
};

inline ScheduleBuilder a_schedule(const std::string& id = "s-1") {
    return ScheduleBuilder(id);
}

}  // namespace crawler::test
