// The scheduler outbox over an EventBridge that refuses.
#include <catch2/catch_test_macros.hpp>

#include "application/relay_scheduler_outbox.hpp"
#include "application/schedule_order.hpp"
#include "support/builders.hpp"
#include "unit/adapters/aws_world.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

struct OrderWorld : AwsWorld {
    OrderWorld() {
        config.retry.max_retries = 0;
        auto [schedule, event] =
            CrawlingSchedule::create(ScheduleId{"sch-1"}, seller_id("shop-1"), days(1), clock.now());
        auto order = application::order_for(event, *ids);
        REQUIRE(run(sellers->add({a_seller("shop-1"), schedule}, order)));
    }

    // Until nothing is left to try.
    void relay() {
        for (int i = 0; i < 100; ++i) {
            REQUIRE(run(relay_orders.run_once()));
            time.advance(1min);
        }
    }
    ScheduleStatus status() { return run(sellers->find_both(seller_id("shop-1")))->schedule.state().status; }
    template <class Event>
    std::size_t told() const {
        return static_cast<std::size_t>(std::ranges::count_if(
            telemetry->events(), [](const auto& event) { return std::holds_alternative<Event>(event); }));
    }

    adapters::MemoryDatabase database;
    std::unique_ptr<ports::SellerStore> sellers = adapters::make_memory_seller_store(database);
    std::unique_ptr<ports::OutboxStore> outbox = adapters::make_memory_scheduler_outbox(database);
    std::unique_ptr<adapters::MemoryTelemetry> telemetry = adapters::make_memory_telemetry();
    std::unique_ptr<ports::ScheduleRules> rules =
        adapters::make_eventbridge_rules(aws(), {.target_arn = "arn:aws:sqs:eu-west-9:1:triggers.fifo"});
    application::RelaySchedulerOutbox relay_orders{
        {*outbox, *rules, clock, *telemetry},
        {.batch = 10, .lease = 1min, .retry = {.max_retries = 5, .first_wait = 1s, .longest_wait = 10s}}};
};

}  // namespace

TEST_CASE("eventbridge: five refusals after the first fail the schedule, and that is told", "[aws]") {
    OrderWorld w;
    w.wire.on("PutRule", {refusal("AccessDeniedException", "not authorized", 403)});

    w.relay();

    CHECK(w.wire.count("PutRule") == 6);
    CHECK(w.status() == ScheduleStatus::failed);
    CHECK(w.told<ports::ScheduleFailed>() == 1);
}

TEST_CASE("eventbridge: what it can never take fails the schedule at once", "[aws]") {
    OrderWorld w;
    w.wire.on("PutRule", {refusal("ValidationException", "Parameter ScheduleExpression is not valid.")});

    w.relay();

    CHECK(w.wire.count("PutRule") == 1);
    CHECK(w.status() == ScheduleStatus::failed);
}

TEST_CASE("eventbridge: refusals that end in time leave the schedule as it is", "[aws]") {
    OrderWorld w;
    w.wire.on("PutRule", {refusal("InternalException", "busy", 500), refusal("InternalException", "busy", 500),
                          answer(200, R"({"RuleArn":"arn"})")});
    w.wire.on("PutTargets", {answer(200, R"({"FailedEntryCount":0})")});

    w.relay();

    CHECK(w.status() == ScheduleStatus::active);
    CHECK(w.told<ports::ScheduleFailed>() == 0);
    CHECK(w.wire.count("PutTargets") == 1);
}
