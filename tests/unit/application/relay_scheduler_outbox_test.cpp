#include <catch2/catch_test_macros.hpp>

#include "coro/sleep.hpp"
#include "line_world.hpp"
#include "support/builders.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;
using application::Activate;
using application::ChangeInterval;
using application::Deactivate;

namespace {

struct RuleWorld : LineWorld {
    RuleWorld() { enroll("s1", 0); }

    void apply(application::SellerChange what) { REQUIRE(run(change.handle(seller_id("s1"), std::move(what)))); }
    std::size_t relay_orders() { return *run(schedule_relay.run_once()); }
    std::optional<ScheduleRule> rule() { return *run(rules->find("mustit-crawler-s1")); }
    CrawlingSchedule::State schedule() { return run(sellers->find_both(seller_id("s1")))->schedule.state(); }
    void break_rules(const std::string& call, Errc code, int times = 1000) {
        faults.add({.call = call, .error = {code, "no bus"}, .times = times});
    }
    // Until its retries are spent.
    void relay_for_a_day() {
        for (int i = 0; i < 24 * 6; ++i) {
            relay_orders();
            time.advance(10min);
        }
    }
};

}  // namespace

TEST_CASE("rules: a registered seller's rule is put, whole") {
    RuleWorld w;

    CHECK(w.relay_orders() == 1);

    CHECK(w.rule() == rule_of(seller_id("s1"), days(1)));
    CHECK(w.relay_orders() == 0);
    CHECK(w.events<ports::RulesChanged>().at(0).put == 1);
}

TEST_CASE("rules: an order that could outlive its lease is not begun, and comes back at once") {
    // Each rule takes a minute to change.
    struct SlowRules final : ports::ScheduleRules {
        ports::ScheduleRules& rules;
        explicit SlowRules(ports::ScheduleRules& fast) : rules(fast) {}
        Async<Result<>> put(ScheduleRule rule) override {
            co_await coro::sleep(1min);
            co_return co_await rules.put(std::move(rule));
        }
        Async<Result<>> remove(std::string name) override { return rules.remove(std::move(name)); }
        Async<Result<std::optional<ScheduleRule>>> find(std::string name) override {
            return rules.find(std::move(name));
        }
    };
    RuleWorld w;
    for (const auto* name : {"s2", "s3", "s4"}) w.enroll(name, 0);
    SlowRules slow(*w.rules);
    application::RelaySchedulerOutbox relay({*w.scheduler_outbox, slow, w.clock, *w.telemetry}, {.lease = 4min});

    CHECK(*w.run(relay.run_once()) == 4);

    CHECK(w.events<ports::RulesChanged>().size() == 2);
    CHECK(w.events<ports::ClaimsLost>().empty());
    CHECK(w.run(w.scheduler_outbox->claim(10, w.clock.now(), 1min))->size() == 2);
}

TEST_CASE("rules: a new interval, deactivation and activation reach the rule in their order") {
    RuleWorld w;
    w.apply(ChangeInterval{days(2)});
    w.apply(Deactivate{});

    CHECK(w.relay_orders() == 1);
    CHECK(w.relay_orders() == 1);
    CHECK(w.rule()->expression == "rate(2 days)");
    CHECK(w.relay_orders() == 1);
    CHECK_FALSE(w.rule());
    CHECK(w.events<ports::RulesChanged>().back().removed == 1);

    w.apply(Activate{});
    CHECK(w.relay_orders() == 1);
    CHECK(w.rule()->expression == "rate(2 days)");
}

TEST_CASE("rules: a scheduler that is down is tried again later") {
    RuleWorld w;
    w.break_rules("schedule_rules.put", Errc::unavailable, 1);

    CHECK(w.relay_orders() == 1);
    CHECK_FALSE(w.rule());
    CHECK(w.events<ports::RulesChanged>().at(0).retried == 1);
    CHECK(w.schedule().status == ScheduleStatus::active);

    w.time.advance(1s);
    CHECK(w.relay_orders() == 1);
    CHECK(w.rule());
}

TEST_CASE("rules: where a rule cannot be put in the end the schedule has failed, with the reason and an alert") {
    RuleWorld w;
    SECTION("the retries are spent") {
        w.break_rules("schedule_rules.put", Errc::unavailable);
    }
    SECTION("it can never be put") {
        w.break_rules("schedule_rules.put", Errc::invalid);
    }

    w.relay_for_a_day();

    CHECK(w.schedule().status == ScheduleStatus::failed);
    CHECK(w.schedule().failure_reason.ends_with(": no bus"));
    const auto alerts = w.events<ports::ScheduleFailed>();
    REQUIRE(alerts.size() == 1);
    CHECK(alerts[0].seller == "s1");
    CHECK(alerts[0].rule == "mustit-crawler-s1");
    CHECK(alerts[0].error.detail == "no bus");
}

TEST_CASE("rules: where a rule cannot be removed in the end the schedule has failed, and deactivating tries anew") {
    RuleWorld w;
    CHECK(w.relay_orders() == 1);
    w.apply(Deactivate{});
    w.break_rules("schedule_rules.remove", Errc::invalid, 1);
    CHECK(w.relay_orders() == 1);
    CHECK(w.schedule().status == ScheduleStatus::failed);

    w.apply(Deactivate{});
    CHECK(w.relay_orders() == 1);

    CHECK_FALSE(w.rule());
    CHECK(w.schedule().status == ScheduleStatus::inactive);
}

TEST_CASE("rules: an order that cannot be read fails its schedule at once") {
    LineWorld w;
    auto order = OutboxEntry::create({OutboxId{"o-1"}, "s1", R"({"sellerId":"s1"})", "key", "s1"}, w.clock.now());
    auto [schedule, event] = CrawlingSchedule::create(ScheduleId{"sch-1"}, seller_id("s1"), days(1), w.clock.now());
    REQUIRE(w.run(w.sellers->add({a_seller("s1"), schedule}, order)));

    CHECK(*w.run(w.schedule_relay.run_once()) == 1);

    CHECK(w.run(w.sellers->find_both(seller_id("s1")))->schedule.state().status == ScheduleStatus::failed);
    CHECK(w.events<ports::ScheduleFailed>().at(0).error.code == Errc::invalid);
}

TEST_CASE("rules: an answer that was lost is no harm: the rule is put again as it is") {
    RuleWorld w;
    w.faults.add({.call = "schedule_rules.put", .error = {Errc::timeout, "no answer"}, .answer_lost = true});

    CHECK(w.relay_orders() == 1);
    w.time.advance(1s);
    CHECK(w.relay_orders() == 1);

    CHECK(w.rule() == rule_of(seller_id("s1"), days(1)));
    CHECK(w.relay_orders() == 0);
}

TEST_CASE("rules: what was settled by another meanwhile is told as lost") {
    RuleWorld w;
    w.faults.add({.call = "outbox_store.settle", .error = {Errc::unavailable, "no database"}});
    CHECK_FALSE(w.run(w.schedule_relay.run_once()));
    CHECK(w.rule());
    CHECK(w.events<ports::RulesChanged>().empty());

    w.time.advance(2min);
    CHECK(w.relay_orders() == 1);
    CHECK(w.events<ports::RulesChanged>().size() == 1);
}
