// Every state of a task with every verb, in every situation that decides where the verb leads.
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <vector>

#include "support/builders/task.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

constexpr RetryPolicy two_retries{.max_retries = 2, .first_wait = 5s, .jitter_percent = 0};
constexpr RetryPolicy no_retries{.max_retries = 0};
constexpr auto running = t0 + 60s - 1us;  // the lease of an IN_PROGRESS task is not over yet
constexpr auto over = t0 + 60s;

template <class T>
Result<> without_value(const Result<T>& result) {
    return result ? Result<>{} : Result<>{result.error()};
}

struct Situation {
    TaskVerb verb;
    const char* when;
    std::function<Result<>(CrawlerTask&)> apply;
    // Where it leads from WAITING, PUBLISHED, IN_PROGRESS, COMPLETED, FAILED, RETRY; "" is refused.
    std::array<std::string_view, 6> leads_to;
};

const std::vector<Situation> situations{
    {TaskVerb::publish,
     "",
     [](CrawlerTask& t) { return t.publish(running); },
     {"PUBLISHED", "", "", "", "", "PUBLISHED"}},
    {TaskVerb::start,
     "while the lease runs",
     [](CrawlerTask& t) { return t.start(running, 60s); },
     {"", "IN_PROGRESS", "", "", "", ""}},
    {TaskVerb::start,
     "when the lease is over",
     [](CrawlerTask& t) { return t.start(over, 60s); },
     {"", "IN_PROGRESS", "", "", "", ""}},
    {TaskVerb::complete,
     "with an answer",
     [](CrawlerTask& t) { return t.complete(running); },
     {"", "", "COMPLETED", "", "", ""}},
    {TaskVerb::complete,
     "as gone",
     [](CrawlerTask& t) { return t.complete(running, CompletedAs::gone); },
     {"", "", "COMPLETED", "", "", ""}},
    {TaskVerb::fail,
     "with retries left",
     [](CrawlerTask& t) { return without_value(t.fail(ErrorClass::transient, "late", two_retries, running)); },
     {"", "", "RETRY", "", "", ""}},
    {TaskVerb::fail,
     "with the retries spent",
     [](CrawlerTask& t) { return without_value(t.fail(ErrorClass::transient, "late", no_retries, running)); },
     {"", "", "FAILED", "", "", ""}},
    {TaskVerb::fail,
     "for good",
     [](CrawlerTask& t) { return without_value(t.fail(ErrorClass::permanent, "never", two_retries, running)); },
     {"", "", "FAILED", "", "", ""}},
    {TaskVerb::postpone, "", [](CrawlerTask& t) { return t.postpone(running); }, {"", "", "RETRY", "", "", ""}},
    {TaskVerb::abandon,
     "while the lease runs",
     [](CrawlerTask& t) { return without_value(t.abandon(two_retries, running)); },
     {"", "", "", "", "", ""}},
    {TaskVerb::abandon,
     "when the lease is over, with retries left",
     [](CrawlerTask& t) { return without_value(t.abandon(two_retries, over)); },
     {"", "", "RETRY", "", "", ""}},
    {TaskVerb::abandon,
     "when the lease is over, with the retries spent",
     [](CrawlerTask& t) { return without_value(t.abandon(no_retries, over)); },
     {"", "", "FAILED", "", "", ""}},
    {TaskVerb::republish,
     "with rescues left",
     [](CrawlerTask& t) { return without_value(t.republish({.max_republish = 1}, running)); },
     {"WAITING", "PUBLISHED", "", "", "", "RETRY"}},
    {TaskVerb::republish,
     "with the rescues spent",
     [](CrawlerTask& t) { return without_value(t.republish({.max_republish = 0}, running)); },
     {"FAILED", "FAILED", "", "", "", "FAILED"}},
    {TaskVerb::retry, "", [](CrawlerTask& t) { return t.retry(running); }, {"", "", "", "", "RETRY", ""}},
};

std::size_t place(TaskStatus status) {
    constexpr std::array order{TaskStatus::waiting,   TaskStatus::published, TaskStatus::in_progress,
                               TaskStatus::completed, TaskStatus::failed,    TaskStatus::retry};
    return static_cast<std::size_t>(std::ranges::find(order, status) - order.begin());
}

CrawlerTask an_item_task(TaskStatus status) {
    return a_task("t-1").asking(a_detail_url()).in(status).failed_as(ErrorClass::transient, "before");
}

// Whether some situation has it so.
bool leads_to(TaskStatus from, TaskVerb verb, std::string_view to) {
    return std::ranges::any_of(situations,
                               [&](const auto& s) { return s.verb == verb && s.leads_to[place(from)] == to; });
}

}  // namespace

TEST_CASE("task walk: every verb leads from every state where it should, in every situation") {
    for (const auto& situation : situations) {
        for (const auto& [status, name] : names(TaskStatus{})) {
            INFO(to_string(situation.verb) << " " << situation.when << ", found " << name);
            const auto expected = situation.leads_to[place(status)];
            auto task = an_item_task(status);

            const auto done = situation.apply(task);

            CHECK(static_cast<bool>(done) == !expected.empty());
            CHECK(to_string(task.state().status) == (expected.empty() ? name : expected));
        }
    }
}

TEST_CASE("task walk: a refused verb is a conflict that names task, state and verb, and leaves everything as it was") {
    int refused = 0;
    for (const auto& situation : situations) {
        for (const auto& [status, name] : names(TaskStatus{})) {
            if (!situation.leads_to[place(status)].empty()) continue;
            INFO(to_string(situation.verb) << " " << situation.when << ", found " << name);
            auto task = an_item_task(status);
            const auto before = task.state();

            const auto done = situation.apply(task);

            REQUIRE_FALSE(done);
            CHECK(done.error().code == Errc::conflict);
            CHECK(done.error().detail.starts_with("CrawlerTask t-1 is " + std::string(name) + "; cannot " +
                                                  std::string(to_string(situation.verb)) + " it"));
            CHECK(task.state() == before);
            ++refused;
        }
    }
    CHECK(refused == 71);
}

TEST_CASE("task walk: the table has these ways and no others") {
    for (const auto& [from, from_name] : names(TaskStatus{})) {
        for (const auto& [verb, verb_name] : names(TaskVerb{})) {
            bool any = false;
            for (const auto& [to, to_name] : names(TaskStatus{})) {
                INFO(from_name << " -- " << verb_name << " -> " << to_name);
                const bool leads = leads_to(from, verb, to_name);
                CHECK(task_table.allows(from, verb, to) == leads);
                any = any || leads;
            }
            CHECK(task_table.allows(from, verb) == any);
        }
    }
}

TEST_CASE("task walk: every verb that happens notes its time, and only IN_PROGRESS has a lease") {
    for (const auto& situation : situations) {
        for (const auto& [status, name] : names(TaskStatus{})) {
            if (situation.leads_to[place(status)].empty()) continue;
            INFO(to_string(situation.verb) << " " << situation.when << ", found " << name);
            auto task = an_item_task(status);

            REQUIRE(situation.apply(task));

            CHECK(task.state().updated_at > t0);
            CHECK(task.state().lease_until.has_value() == (task.state().status == TaskStatus::in_progress));
            CHECK(task.state().completed_at.has_value() == task.is_terminal());
            CHECK(task.state().created_at == t0);
            CHECK(task.state().revision == 0);
        }
    }
}

TEST_CASE("task walk: a diagram begins with WAITING and says what decides") {
    const auto machine = task_table.machine();

    CHECK(machine.name == "CrawlerTask");
    CHECK(machine.first == "WAITING");
    CHECK(machine.states.size() == 6);
    CHECK(machine.arrows.size() == 16);
    for (const auto& arrow : machine.arrows) {
        const auto ways = std::ranges::count_if(
            machine.arrows, [&](const auto& other) { return other.from == arrow.from && other.verb == arrow.verb; });
        INFO(arrow.from << " -- " << arrow.verb << " -> " << arrow.to);
        if (ways > 1) CHECK_FALSE(arrow.when.empty());
    }
}
