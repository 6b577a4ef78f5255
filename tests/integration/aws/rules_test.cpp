// A seller's rule, from the order in the scheduler outbox to what EventBridge then has.
#include <catch2/catch_test_macros.hpp>
#include <sstream>

#include "account.hpp"
#include "adapters/memory/memory.hpp"
#include "adapters/telemetry/telemetry.hpp"
#include "application/change_seller.hpp"
#include "application/register_seller.hpp"
#include "application/relay_scheduler_outbox.hpp"
#include "impostor.hpp"
#include "support/builders.hpp"
#include "support/clocks.hpp"
#include "support/emulator.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace application;

namespace {

// What crawlerctl and the outbox-relay do with a seller, on an EventBridge.
struct Relay {
    explicit Relay(const std::string& url) : account(url) {
        REQUIRE(account.run(registration.handle({.id = seller_id(seller), .name = "셀러"})));
    }

    Account account;
    std::string seller = account.new_name("s-").substr(0, 30);
    ManualClock clock;
    adapters::MemoryDatabase database;
    std::ostringstream log;
    std::unique_ptr<adapters::PrometheusTelemetry> telemetry =
        adapters::make_telemetry({}, {.service = "outbox-relay", .version = "1", .loops = {}}, clock, log);
    std::unique_ptr<ports::SellerStore> sellers = adapters::make_memory_seller_store(database);
    std::unique_ptr<ports::OutboxStore> outbox = adapters::make_memory_scheduler_outbox(database);
    std::unique_ptr<ports::ScheduleRules> rules = account.rules();
    RegisterSeller registration{{*sellers, *account.ids, clock}};
    ChangeSeller change{{*sellers, *account.ids, clock}};
    RelaySchedulerOutbox relay{{*outbox, *rules, clock, *telemetry}, {.retry = {.max_retries = 5, .first_wait = 5s}}};

    void apply(SellerChange what) { REQUIRE(account.run(change.handle(seller_id(seller), std::move(what)))); }
    // One order; false where there was none.
    bool carry_out() {
        const auto done = account.run(relay.run_once());
        REQUIRE(done);
        return *done > 0;
    }
    CrawlingSchedule::State schedule() { return account.run(sellers->find_both(seller_id(seller)))->schedule.state(); }
    std::string name() const { return rule_name(seller_id(seller)); }
    std::string rule() { return account.ask("events", "AWSEvents.DescribeRule", R"({"Name":")" + name() + R"("})"); }
    std::string targets() {
        return account.ask("events", "AWSEvents.ListTargetsByRule", R"({"Rule":")" + name() + R"("})");
    }
    std::string all_rules() {
        return account.ask("events", "AWSEvents.ListRules", R"({"NamePrefix":")" + name() + R"("})");
    }
};

bool has(const std::string& text, const std::string& part) {
    UNSCOPED_INFO("'" << part << "' in " << text);
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("aws rules: a registered seller's rule stands in EventBridge with its rate, its target and its input") {
    const Emulator emulator{"moto"};
    Relay line(emulator.url());

    CHECK(line.carry_out());

    CHECK(has(line.rule(), R"x("ScheduleExpression": "rate(1 day)")x"));
    CHECK(has(line.rule(), R"("State": "ENABLED")"));
    CHECK(has(line.targets(), R"("Arn": "arn:aws:sqs:ap-northeast-2:123456789012:mustit-crawler-triggers")"));
    CHECK(has(line.targets(), R"({\"sellerId\":\")" + line.seller + R"(\"})"));
}

TEST_CASE("aws rules: a new interval is the rule's new rate, and its target stays one") {
    const Emulator emulator{"moto"};
    Relay line(emulator.url());
    CHECK(line.carry_out());
    line.apply(ChangeInterval{days(3)});

    CHECK(line.carry_out());

    CHECK(has(line.rule(), R"x("ScheduleExpression": "rate(3 days)")x"));
    const auto targets = line.targets();
    CHECK(targets.find(R"("Arn")") == targets.rfind(R"("Arn")"));
}

TEST_CASE("aws rules: a rule that is put as disabled stands there so") {
    const Emulator emulator{"moto"};
    Relay line(emulator.url());
    CHECK(line.carry_out());
    auto rule = rule_of(seller_id(line.seller), days(1));
    rule.enabled = false;

    REQUIRE(line.account.run(line.rules->put(rule)));

    CHECK(has(line.rule(), R"("State": "DISABLED")"));
}

TEST_CASE("aws rules: the rule of a deactivated seller is gone, and comes back with him") {
    const Emulator emulator{"moto"};
    Relay line(emulator.url());
    CHECK(line.carry_out());

    line.apply(Deactivate{});
    CHECK(line.carry_out());
    CHECK_FALSE(has(line.all_rules(), line.name()));

    line.apply(Activate{});
    CHECK(line.carry_out());
    CHECK(has(line.rule(), R"("State": "ENABLED")"));
    CHECK(has(line.targets(), line.seller));
}

TEST_CASE("aws rules: a name that must be another's is put under the name that stands for it") {
    const Emulator emulator{"moto"};
    Account account(emulator.url());
    const auto rule = rule_of(seller_id("머스트잇 " + account.new_name("")), days(2));
    const auto rules = account.rules();

    REQUIRE(account.run(rules->put(rule)));

    CHECK((**account.run(rules->find(rule.name)) == rule));
}

TEST_CASE("aws rules: where EventBridge refuses to the end the schedule has failed, and a metric tells") {
    const Impostor refusing([](const auto&) { return refusal(500, "InternalException"); });
    Relay line(refusing.url());

    int tries = 0;
    for (int i = 0; i < 100 && line.schedule().status == ScheduleStatus::active; ++i) {
        if (line.carry_out()) ++tries;
        line.clock.advance(1min);
    }

    CHECK(tries == 6);  // the first, and five more
    CHECK(line.schedule().status == ScheduleStatus::failed);
    CHECK_FALSE(line.schedule().failure_reason.empty());
    CHECK(has(line.telemetry->scrape(), "crawler_schedules_failed_total"));
    CHECK(has(line.log.str(), R"("event":"schedule_failed")"));
}
