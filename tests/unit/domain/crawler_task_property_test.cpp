// Tasks under random verbs at random times, judged by rules that share no code with them.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <random>
#include <set>
#include <string>

#include "support/builders/task.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

constexpr RetryPolicy two_retries{.max_retries = 2, .first_wait = 1s};
constexpr RescuePolicy three_rescues{.max_republish = 3};

// Every way there is, written down once more.
const std::set<std::string> ways{"WAITING publish PUBLISHED",
                                 "RETRY publish PUBLISHED",
                                 "PUBLISHED start IN_PROGRESS",
                                 "IN_PROGRESS start IN_PROGRESS",
                                 "IN_PROGRESS complete COMPLETED",
                                 "IN_PROGRESS fail RETRY",
                                 "IN_PROGRESS fail FAILED",
                                 "IN_PROGRESS postpone RETRY",
                                 "IN_PROGRESS abandon RETRY",
                                 "IN_PROGRESS abandon FAILED",
                                 "WAITING republish WAITING",
                                 "WAITING republish FAILED",
                                 "PUBLISHED republish PUBLISHED",
                                 "PUBLISHED republish FAILED",
                                 "RETRY republish RETRY",
                                 "RETRY republish FAILED",
                                 "FAILED retry RETRY"};

struct Step {
    TaskVerb verb;
    bool done;
};

// One random verb, with whatever arguments.
Step random_step(CrawlerTask& task, std::mt19937_64& random, TimePoint now) {
    const auto verb = names(TaskVerb{})[random() % names(TaskVerb{}).size()].value;
    const auto why = names(ErrorClass{})[random() % names(ErrorClass{}).size()].value;
    const auto as = random() % 4 == 0 ? CompletedAs::gone : CompletedAs::fetched;
    switch (verb) {
        case TaskVerb::publish:
            return {verb, static_cast<bool>(task.publish(now))};
        case TaskVerb::start:
            return {verb, static_cast<bool>(task.start(now, 5s))};
        case TaskVerb::complete:
            if (random() % 8 > 0) return {verb, false};  // else hardly any would live long
            return {verb, static_cast<bool>(task.complete(now, as))};
        case TaskVerb::fail:
            return {verb, static_cast<bool>(task.fail(why, "why", two_retries, now))};
        case TaskVerb::postpone:
            return {verb, static_cast<bool>(task.postpone(now))};
        case TaskVerb::abandon:
            return {verb, static_cast<bool>(task.abandon(two_retries, now))};
        case TaskVerb::republish:
            return {verb, static_cast<bool>(task.republish(three_rescues, now))};
        case TaskVerb::retry:
            return {verb, static_cast<bool>(task.retry(now))};
    }
    return {verb, false};
}

}  // namespace

TEST_CASE("task property: random verbs take only the ways there are, and a refused one changes nothing") {
    const auto seed = GENERATE(range(1u, 201u));
    CAPTURE(seed);
    std::mt19937_64 random(seed);

    CrawlerTask task = a_task().asking(random() % 2 ? a_detail_url() : a_listing_url());
    auto now = t0;
    for (int i = 0; i < 200; ++i) {
        now += Duration{static_cast<Duration::rep>(random() % 4'000'000)};
        const auto before = task.state();
        const auto was_busy = before.status == TaskStatus::in_progress && before.lease_until > now;

        const auto step = random_step(task, random, now);

        const auto& after = task.state();
        if (!step.done) {
            REQUIRE(after == before);
            continue;
        }
        const auto way = std::string(to_string(before.status)) + " " + std::string(to_string(step.verb)) + " " +
                         std::string(to_string(after.status));
        CAPTURE(i, way);
        REQUIRE(ways.contains(way));
        REQUIRE(after.updated_at == now);
        REQUIRE(after.attempt == before.attempt + (step.verb == TaskVerb::start ? 1 : 0));
        REQUIRE(after.lease_until.has_value() == (after.status == TaskStatus::in_progress));
        const bool takes_over = step.verb == TaskVerb::start || step.verb == TaskVerb::abandon;
        if (takes_over) REQUIRE_FALSE(was_busy);
        const bool is_over = after.status == TaskStatus::completed || after.status == TaskStatus::failed;
        REQUIRE(after.completed_at.has_value() == is_over);
        REQUIRE(after.completed_as.has_value() == (after.status == TaskStatus::completed));
    }
}

TEST_CASE("task property: retries and rescues stay within their bounds, whatever happens") {
    const auto seed = GENERATE(range(1000u, 1200u));
    CAPTURE(seed);
    std::mt19937_64 random(seed);

    CrawlerTask task = a_task().asking(a_detail_url());
    auto now = t0;
    for (int i = 0; i < 300; ++i) {
        now += Duration{static_cast<Duration::rep>(random() % 8'000'000)};
        const auto before = task.state();
        const auto step = random_step(task, random, now);
        const auto& after = task.state();

        REQUIRE(after.retry_count <= two_retries.max_retries);
        REQUIRE(after.rescue_count <= three_rescues.max_republish);
        if (!step.done) continue;
        const bool burned = after.retry_count == before.retry_count + 1;
        const bool failed_on_the_way =
            (step.verb == TaskVerb::fail || step.verb == TaskVerb::abandon) && after.status == TaskStatus::retry;
        REQUIRE(burned == failed_on_the_way);
    }
}

TEST_CASE("task property: left to rescue alone, every task comes to its end") {
    const auto status =
        GENERATE(TaskStatus::waiting, TaskStatus::published, TaskStatus::in_progress, TaskStatus::retry);
    const auto relayed = GENERATE(false, true);  // whether the messages of its publications get as far as a worker
    CrawlerTask task = a_task().in(status);

    int steps = 0;
    for (auto now = t0; !task.is_terminal(); now += 1h) {
        REQUIRE(++steps < 20);
        if (task.state().status == TaskStatus::in_progress) {
            REQUIRE(task.abandon(two_retries, now + 1h));  // every worker dies
        } else if (!relayed) {
            REQUIRE(task.republish(three_rescues, now));
        } else if (task.state().status == TaskStatus::published) {
            REQUIRE(task.start(now, 60s));
        } else {
            REQUIRE(task.publish(now));
        }
    }
    CHECK(task.state().status == TaskStatus::failed);
}

TEST_CASE("task property: no two publications of one task share a key, whatever happens between them") {
    const auto seed = GENERATE(range(1u, 51u));
    CAPTURE(seed);
    std::mt19937_64 random(seed);

    CrawlerTask task = a_task().asking(a_detail_url());
    std::set<std::string> keys;
    int asked = 0;
    auto now = t0;
    for (int i = 0; i < 200; ++i) {
        now += Duration{static_cast<Duration::rep>(random() % 8'000'000)};
        (void)random_step(task, random, now);
        if (task.is_terminal() || task.state().status == TaskStatus::in_progress || random() % 3 > 0) continue;
        keys.insert(task.publication(OutboxId{"o"}, now).state().idempotency_key);
        ++asked;
    }
    CHECK(std::ssize(keys) == asked);
    CHECK(task.state().publications == asked);
}
