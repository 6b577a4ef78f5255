#include <catch2/catch_template_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "queue_players.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

constexpr Duration day = 24h;

ScheduleRule a_rule(const std::string& seller = "shop-1", const std::string& expression = "rate(1 day)") {
    return {.name = "mustit-crawler-" + seller,
            .expression = expression,
            .input = R"({"sellerId":")" + seller + R"("})",
            .enabled = true};
}

template <class Fixture>
void put(Fixture& f, const ScheduleRule& rule) {
    REQUIRE(f.run(f.rules->put(rule)));
}

template <class Fixture>
std::size_t fire(Fixture& f, ports::Scheduler& scheduler, int limit = 100) {
    auto fired = f.run(scheduler.fire_due(f.now(), limit));
    REQUIRE(fired);
    return *fired;
}

// What lies on the trigger queue, which it is taken from.
template <class Fixture>
std::vector<std::string> triggers(Fixture& f) {
    std::vector<std::string> bodies;
    for (;;) {
        const auto received = f.run(f.triggers->receive(10, {}));
        REQUIRE(received);
        if (received->empty()) return bodies;
        for (const auto& delivery : *received) {
            bodies.push_back(delivery.body);
            REQUIRE(f.run(f.triggers->ack(delivery.receipt)));
        }
    }
}

using Bodies = std::vector<std::string>;
const std::string shop_1 = R"({"sellerId":"shop-1"})";

}  // namespace

TEMPLATE_LIST_TEST_CASE(
    "scheduler: a rule fires one interval after it was made, with its input, and then every interval",
    "[contract][scheduler]", RuleFixtures) {
    TestType f;
    const auto scheduler = f.make_scheduler();
    put(f, a_rule());

    f.advance(day - 1us);
    CHECK(fire(f, *scheduler) == 0);
    f.advance(1us);
    CHECK(fire(f, *scheduler) == 1);
    CHECK(fire(f, *scheduler) == 0);
    CHECK(triggers(f) == Bodies{shop_1});

    f.advance(day);
    CHECK(fire(f, *scheduler) == 1);
    CHECK(triggers(f) == Bodies{shop_1});
}

TEMPLATE_LIST_TEST_CASE("scheduler: two on one database fire each rule once, in turn or at once",
                        "[contract][scheduler]", RuleFixtures) {
    TestType f;
    const auto one = f.make_scheduler();
    const auto two = f.make_scheduler();
    for (int i = 10; i < 30; ++i) put(f, a_rule("shop-" + std::to_string(i)));

    f.advance(day);
    CHECK(fire(f, *one) == 20);
    CHECK(fire(f, *two) == 0);
    CHECK(triggers(f).size() == 20);

    f.advance(day);
    const auto [first, second] = f.run_both(one->fire_due(f.now(), 100), two->fire_due(f.now(), 100));
    REQUIRE(first);
    REQUIRE(second);
    // What one passed over because the other was at it, the other has fired.
    CHECK(*first + *second == 20);
    CHECK(triggers(f).size() == 20);
}

TEMPLATE_LIST_TEST_CASE("scheduler: one pass fires so many rules at most, the longest overdue first",
                        "[contract][scheduler]", RuleFixtures) {
    TestType f;
    const auto scheduler = f.make_scheduler();
    put(f, a_rule("shop-2"));
    f.advance(1s);
    put(f, a_rule("shop-1"));
    f.advance(day);

    CHECK(fire(f, *scheduler, 1) == 1);
    CHECK(triggers(f) == Bodies{R"({"sellerId":"shop-2"})"});
    CHECK(fire(f, *scheduler, 1) == 1);
    CHECK(triggers(f) == Bodies{shop_1});
    CHECK(fire(f, *scheduler, 1) == 0);
}

TEMPLATE_LIST_TEST_CASE("scheduler: a rule that is not enabled never fires", "[contract][scheduler]", RuleFixtures) {
    TestType f;
    const auto scheduler = f.make_scheduler();
    auto rule = a_rule();
    rule.enabled = false;
    put(f, rule);

    f.advance(10 * day);
    CHECK(fire(f, *scheduler) == 0);

    rule.enabled = true;
    put(f, rule);
    CHECK(fire(f, *scheduler) == 0);
    f.advance(day);
    CHECK(fire(f, *scheduler) == 1);
}

TEMPLATE_LIST_TEST_CASE("scheduler: a removed rule never fires, and starts anew when it is put again",
                        "[contract][scheduler]", RuleFixtures) {
    TestType f;
    const auto scheduler = f.make_scheduler();
    put(f, a_rule());
    f.advance(23h);
    REQUIRE(f.run(f.rules->remove(a_rule().name)));
    f.advance(1h);
    CHECK(fire(f, *scheduler) == 0);

    put(f, a_rule());
    f.advance(23h);
    CHECK(fire(f, *scheduler) == 0);
    f.advance(1h);
    CHECK(fire(f, *scheduler) == 1);
}

TEMPLATE_LIST_TEST_CASE("scheduler: a rule that is put again keeps its time while its rate stays",
                        "[contract][scheduler]", RuleFixtures) {
    TestType f;
    const auto scheduler = f.make_scheduler();
    put(f, a_rule());
    f.advance(23h);
    auto changed = a_rule();
    changed.input = R"({"sellerId":"other"})";
    put(f, changed);
    f.advance(1h);

    CHECK(fire(f, *scheduler) == 1);
    CHECK(triggers(f) == Bodies{R"({"sellerId":"other"})"});
}

TEMPLATE_LIST_TEST_CASE("scheduler: a rule whose rate changes fires one new interval later", "[contract][scheduler]",
                        RuleFixtures) {
    TestType f;
    const auto scheduler = f.make_scheduler();
    put(f, a_rule());
    f.advance(23h);
    put(f, a_rule("shop-1", "rate(2 hours)"));
    f.advance(1h);
    CHECK(fire(f, *scheduler) == 0);
    f.advance(1h);
    CHECK(fire(f, *scheduler) == 1);
}

TEMPLATE_LIST_TEST_CASE("scheduler: what was missed is made up for as the policy says, and the plan stays in step",
                        "[contract][scheduler]", RuleFixtures) {
    TestType f;
    put(f, a_rule());
    f.advance(3 * day + 5h);
    struct Expected {
        CatchUpPolicy policy;
        std::size_t firings;
    };
    const auto [policy, firings] =
        GENERATE(Expected{{.missed = CatchUp::once}, 1}, Expected{{.missed = CatchUp::skip}, 0},
                 Expected{{.missed = CatchUp::every}, 3}, Expected{{.missed = CatchUp::every, .most = 2}, 2});
    const auto scheduler = f.make_scheduler(policy);

    CHECK(fire(f, *scheduler) == firings);
    CHECK(triggers(f) == Bodies(firings, shop_1));
    CHECK(fire(f, *scheduler) == 0);

    f.advance(19h - 1us);
    CHECK(fire(f, *scheduler) == 0);
    f.advance(1us);
    CHECK(fire(f, *scheduler) == 1);
}

TEMPLATE_LIST_TEST_CASE("scheduler: the firings of one rule are worked on in order, those of others beside them",
                        "[contract][scheduler]", RuleFixtures) {
    TestType f;
    const auto scheduler = f.make_scheduler();
    put(f, a_rule("shop-1"));
    put(f, a_rule("shop-2"));
    f.advance(day);
    REQUIRE(fire(f, *scheduler) == 2);
    f.advance(day);
    REQUIRE(fire(f, *scheduler) == 2);

    const auto received = f.run(f.triggers->receive(10, {}));

    REQUIRE(received);
    CHECK(received->size() == 2);
    CHECK(f.run(f.triggers->receive(10, {}))->empty());
}
