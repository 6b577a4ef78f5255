#include "domain/firing.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "support/t0.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

constexpr Duration day = 24h;

ScheduleRule a_rule(const std::string& expression = "rate(1 day)", bool enabled = true) {
    return {.name = "mustit-crawler-shop-1", .expression = expression, .input = "{}", .enabled = enabled};
}

PlannedRule planned(const std::optional<PlannedRule>& before, const ScheduleRule& rule, TimePoint now) {
    const auto planned = plan(before, rule, now);
    REQUIRE(planned);
    return *planned;
}

using Times = std::vector<TimePoint>;

}  // namespace

TEST_CASE("firing: a rate is so much time") {
    CHECK(*rate_interval("rate(1 minute)") == 1min);
    CHECK(*rate_interval("rate(12 hours)") == 12h);
    CHECK(*rate_interval("rate(30 days)") == 30 * day);
    CHECK(*rate_interval("rate(99999 days)") == 99'999 * day);
}

TEST_CASE("firing: what EventBridge would refuse is no rate") {
    const auto* bad = GENERATE("", "daily", "rate(", "rate()", "rate(x days)", "rate(0 days)", "rate(-1 days)",
                               "rate(1 days)", "rate(2 day)", "rate(1 day", "rate(1 day) ", "rate(1 fortnight)",
                               "rate(100000 days)", "rate(99999999999 days)", "rate(2 days))", "cron(0 9 * * ? *)");
    const auto interval = rate_interval(bad);
    REQUIRE_FALSE(interval);
    CHECK(interval.error().code == Errc::invalid);
}

TEST_CASE("firing: a new rule fires first one interval after it was made") {
    CHECK(planned({}, a_rule("rate(3 days)"), t0).next_fire_at == t0 + 3 * day);
}

TEST_CASE("firing: a rule that is put again with its rate keeps its plan, whatever else changes") {
    const auto before = planned({}, a_rule(), t0);
    auto changed = a_rule();
    changed.input = R"({"other":1})";

    CHECK(planned(before, changed, t0 + 5h).next_fire_at == before.next_fire_at);
    CHECK(planned(before, changed, t0 + 5h).rule == changed);
    CHECK(planned(before, a_rule(), t0 + 3 * day).next_fire_at == before.next_fire_at);  // overdue: it still fires
}

TEST_CASE("firing: a rule whose rate changes begins anew") {
    const auto before = planned({}, a_rule(), t0);
    CHECK(planned(before, a_rule("rate(2 days)"), t0 + 5h).next_fire_at == t0 + 5h + 2 * day);
}

TEST_CASE("firing: a rule that is enabled again goes on with its plan, or begins anew where that is past") {
    const auto before = planned({}, a_rule("rate(1 day)", false), t0);
    CHECK(planned(before, a_rule(), t0 + 5h).next_fire_at == t0 + day);
    CHECK(planned(before, a_rule(), t0 + day).next_fire_at == t0 + 2 * day);
}

TEST_CASE("firing: a name or an expression that is none is refused") {
    auto nameless = a_rule();
    nameless.name = "";
    CHECK(plan({}, nameless, t0).error().code == Errc::invalid);
    CHECK(plan({}, a_rule("daily"), t0).error().code == Errc::invalid);
}

TEST_CASE("firing: one that is on time fires for its time, and the next is one interval later, under every policy") {
    const auto missed = GENERATE(CatchUp::once, CatchUp::skip, CatchUp::every);
    for (const Duration late : {Duration{0}, Duration{5min}}) {
        const auto firings = firings_due(t0, day, t0 + late, {.missed = missed});
        CHECK(firings.times == Times{t0});
        CHECK(firings.next == t0 + day);
    }
}

TEST_CASE("firing: of several that were missed one is made up for, and the plan stays in step") {
    const auto firings = firings_due(t0, day, t0 + 3 * day + 5h, {.missed = CatchUp::once});
    CHECK(firings.times == Times{t0 + 3 * day});
    CHECK(firings.next == t0 + 4 * day);
}

TEST_CASE("firing: skipped ones are not made up for, and the plan stays in step") {
    const CatchUpPolicy policy{.missed = CatchUp::skip, .tolerance = 5min};
    CHECK(firings_due(t0, day, t0 + 3 * day + 5h, policy).times.empty());
    CHECK(firings_due(t0, day, t0 + 3 * day + 5h, policy).next == t0 + 4 * day);
    CHECK(firings_due(t0, day, t0 + 5min + 1us, policy).times.empty());
    CHECK(firings_due(t0, day, t0 + 3 * day + 1min, policy).times == Times{t0 + 3 * day});
}

TEST_CASE("firing: every one is made up for, the latest ones where they are too many") {
    const auto all = firings_due(t0, day, t0 + 2 * day, {.missed = CatchUp::every, .most = 3});
    CHECK(all.times == Times{t0, t0 + day, t0 + 2 * day});
    CHECK(all.next == t0 + 3 * day);

    const auto bounded = firings_due(t0, day, t0 + 9 * day, {.missed = CatchUp::every, .most = 2});
    CHECK(bounded.times == Times{t0 + 8 * day, t0 + 9 * day});
    CHECK(bounded.next == t0 + 10 * day);
}
