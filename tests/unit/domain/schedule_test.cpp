#include "domain/schedule.hpp"

#include <catch2/catch_test_macros.hpp>

#include "state_walk.hpp"
#include "support/builders/schedule.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

using S = ScheduleStatus;
using V = ScheduleVerb;

const Grid<S, V> expected{
    {{S::active, V::change_interval}, S::active}, {{S::active, V::deactivate}, S::inactive},
    {{S::failed, V::deactivate}, S::inactive},    {{S::inactive, V::activate}, S::active},
    {{S::failed, V::activate}, S::active},        {{S::active, V::fail}, S::failed},
    {{S::inactive, V::fail}, S::failed},
};

template <class T>
Result<> outcome(const Result<T>& result) {
    return result ? Result<>() : Result<>(result.error());
}

Result<> apply(CrawlingSchedule& schedule, V verb) {
    switch (verb) {
        case V::change_interval:
            return outcome(schedule.change_interval(days(7), t0 + 1s));
        case V::activate:
            return outcome(schedule.activate(t0 + 1s));
        case V::deactivate:
            return outcome(schedule.deactivate(t0 + 1s));
        case V::fail:
            break;
    }
    return schedule.mark_failed("no such bus", t0 + 1s);
}

}  // namespace

TEST_CASE("schedule: every verb in every state does what it should") {
    walk(schedule_table, expected, [](S status) { return a_schedule().in(status).build(); }, apply);
    check_rows<decltype(schedule_table), S, V>(schedule_table, {expected});
}

TEST_CASE("schedule: a new one is ACTIVE with the rule of its seller") {
    const auto made = CrawlingSchedule::create(ScheduleId{"s-1"}, seller_id("셀러-1"), days(3), t0);

    const auto& state = made.schedule.state();
    CHECK(state.id == ScheduleId{"s-1"});
    CHECK(state.seller == seller_id("셀러-1"));
    CHECK(state.interval == days(3));
    CHECK(state.status == S::active);
    CHECK(state.failure_reason.empty());
    CHECK(state.created_at == t0);
    CHECK(state.updated_at == t0);
    CHECK((made.schedule.rule() == rule_of(seller_id("셀러-1"), days(3))));
}

TEST_CASE("schedule: a new one is registered, and its rule is to be created") {
    const auto made = CrawlingSchedule::create(ScheduleId{"s-1"}, seller_id("shop-1"), days(3), t0);

    CHECK(made.event.type == ScheduleEventType::registered);
    CHECK(made.event.outbox_type() == SchedulerOutboxType::schedule_created);
    CHECK(made.event.schedule == ScheduleId{"s-1"});
    CHECK(made.event.seller == seller_id("shop-1"));
    CHECK((made.event.rule == made.schedule.rule()));
    CHECK(made.event.at == t0);
}

TEST_CASE("schedule: a changed interval is to be updated in the rule") {
    auto schedule = a_schedule().every(days(1)).build();

    const auto changed = schedule.change_interval(days(30), t0 + 1s);

    REQUIRE(changed);
    REQUIRE(changed->has_value());
    const auto& event = **changed;
    CHECK(event.type == ScheduleEventType::updated);
    CHECK(event.outbox_type() == SchedulerOutboxType::schedule_updated);
    CHECK(event.rule.expression == "rate(30 days)");
    CHECK(event.at == t0 + 1s);
    CHECK(schedule.state().interval == days(30));
    CHECK(schedule.state().updated_at == t0 + 1s);
}

TEST_CASE("schedule: the interval it has already is no change and no event") {
    auto schedule = a_schedule().every(days(3)).build();
    const auto before = schedule.state();

    const auto changed = schedule.change_interval(days(3), t0 + 1s);

    REQUIRE(changed);
    CHECK_FALSE(changed->has_value());
    CHECK((schedule.state() == before));
}

TEST_CASE("schedule: even the interval it has already is refused unless it is ACTIVE") {
    auto schedule = a_schedule().every(days(3)).inactive().build();

    const auto changed = schedule.change_interval(days(3), t0 + 1s);

    REQUIRE_FALSE(changed);
    CHECK(changed.error().detail == "CrawlingSchedule s-1 is INACTIVE; cannot change the interval of it");
}

TEST_CASE("schedule: the rule of a deactivated one is to be deleted") {
    auto schedule = a_schedule().every(days(3)).build();

    const auto event = schedule.deactivate(t0 + 1s);

    REQUIRE(event);
    CHECK(event->type == ScheduleEventType::deactivated);
    CHECK(event->outbox_type() == SchedulerOutboxType::schedule_deleted);
    CHECK(event->rule.name == "mustit-crawler-shop-1");
    CHECK(event->at == t0 + 1s);
}

TEST_CASE("schedule: the rule of a reactivated one is to be created again, with the interval it had") {
    auto schedule = a_schedule().every(days(3)).inactive().build();

    const auto event = schedule.activate(t0 + 1s);

    REQUIRE(event);
    CHECK(event->type == ScheduleEventType::reactivated);
    CHECK(event->outbox_type() == SchedulerOutboxType::schedule_created);
    CHECK((event->rule == rule_of(seller_id("shop-1"), days(3))));
    CHECK(event->at == t0 + 1s);
}

TEST_CASE("schedule: a failed one says why and since when") {
    auto schedule = a_schedule().build();

    REQUIRE(schedule.mark_failed("AccessDenied: 권한 없음", t0 + 1s));

    CHECK(schedule.state().failure_reason == "AccessDenied: 권한 없음");
    CHECK(schedule.state().updated_at == t0 + 1s);
}

TEST_CASE("schedule: what failed before is forgotten when it is tried anew") {
    SECTION("switched on") {
        auto schedule = a_schedule().failed().build();
        REQUIRE(schedule.activate(t0 + 1s));
        CHECK(schedule.state().failure_reason.empty());
    }
    SECTION("switched off") {
        auto schedule = a_schedule().failed().build();
        REQUIRE(schedule.deactivate(t0 + 1s));
        CHECK(schedule.state().failure_reason.empty());
    }
}

TEST_CASE("schedule: a Korean seller's rule has the name that stands for it") {
    const auto schedule = a_schedule().of("머스트잇").build();

    CHECK(schedule.rule().name == rule_name(seller_id("머스트잇")));
    CHECK(schedule.rule().input == R"({"sellerId":"머스트잇"})");
}
