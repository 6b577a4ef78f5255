#include "domain/crawler_task.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <vector>

using namespace crawler;
using namespace std::chrono_literals;

namespace {

const TimePoint t0{std::chrono::hours{1000}};
constexpr RetryPolicy two_retries{.max_retries = 2, .first_wait = 5s};
const Error late{Errc::timeout, "no answer"};

CrawlerTask a_task(TaskStatus status, int retry_count = 0) {
    auto state =
        CrawlerTask::create(TaskId{"t-1"}, ExecutionId{"e-1"}, *SellerId::parse("shop-1"), TaskType::minishop, "/x", t0)
            .state();
    state.status = status;
    state.retry_count = retry_count;
    if (status == TaskStatus::in_progress) state.lease_until = t0 + 60s;
    return CrawlerTask::restore(state);
}

struct Verb {
    const char* name;
    std::function<Result<>(CrawlerTask&)> apply;
    std::vector<std::pair<TaskStatus, TaskStatus>> moves;  // the only ones
};

Result<> fail(CrawlerTask& task, const Error& why) {
    const auto wait = task.fail(why, two_retries, t0 + 1s);
    if (!wait) return wait.error();
    return {};
}

const std::vector<Verb> verbs{
    {"publish",
     [](CrawlerTask& t) { return t.publish(t0 + 1s); },
     {{TaskStatus::waiting, TaskStatus::published}, {TaskStatus::retry, TaskStatus::published}}},
    {"start", [](CrawlerTask& t) { return t.start(t0 + 1s, 60s); }, {{TaskStatus::published, TaskStatus::in_progress}}},
    {"complete",
     [](CrawlerTask& t) { return t.complete(t0 + 1s); },
     {{TaskStatus::in_progress, TaskStatus::completed}}},
    {"fail, to be retried",
     [](CrawlerTask& t) { return fail(t, late); },
     {{TaskStatus::in_progress, TaskStatus::retry}}},
    {"fail for good",
     [](CrawlerTask& t) { return fail(t, {Errc::invalid, "never"}); },
     {{TaskStatus::in_progress, TaskStatus::failed}}},
};

}  // namespace

TEST_CASE("task: every verb in every state moves it as the diagram says, or names the state it found") {
    for (const auto& verb : verbs) {
        for (const auto& [status, name] : names(TaskStatus{})) {
            INFO(verb.name << " when " << name);
            auto task = a_task(status);
            const auto before = task.state();
            const auto expected = std::ranges::find(verb.moves, status, [](const auto& move) { return move.first; });

            const auto done = verb.apply(task);

            if (expected != verb.moves.end()) {
                CHECK(done);
                CHECK(task.state().status == expected->second);
                CHECK(task.state().updated_at == t0 + 1s);
            } else {
                REQUIRE_FALSE(done);
                CHECK(done.error().code == Errc::conflict);
                CHECK(done.error().detail.find(name) != std::string::npos);
                CHECK(done.error().detail.find("t-1") != std::string::npos);
                CHECK(task.state().status == status);
                CHECK(task.state().updated_at == before.updated_at);
                CHECK(task.state().attempt == before.attempt);
                CHECK(task.state().retry_count == before.retry_count);
                CHECK(task.state().error_message == before.error_message);
                CHECK(task.state().lease_until == before.lease_until);
            }
        }
    }
}

TEST_CASE("task: a new one is WAITING and has not been tried") {
    const auto state = a_task(TaskStatus::waiting).state();

    CHECK(state.attempt == 0);
    CHECK(state.retry_count == 0);
    CHECK(state.error_message.empty());
    CHECK_FALSE(state.lease_until);
    CHECK(state.revision == 0);
}

TEST_CASE("task: each start counts an attempt and takes a lease; leaving it gives the lease up") {
    auto task = a_task(TaskStatus::published);
    REQUIRE(task.start(t0, 60s));
    CHECK(task.state().attempt == 1);
    CHECK(task.state().lease_until == t0 + 60s);

    REQUIRE(task.fail(late, two_retries, t0));
    CHECK_FALSE(task.state().lease_until);

    REQUIRE(task.publish(t0));
    REQUIRE(task.start(t0 + 9s, 60s));
    CHECK(task.state().attempt == 2);
    CHECK(task.state().lease_until == t0 + 69s);
}

TEST_CASE("task: a retryable failure waits longer each time and fails for good when the retries are spent") {
    auto first = a_task(TaskStatus::in_progress, 0);
    CHECK(*first.fail(late, two_retries, t0) == 5s);
    CHECK(first.state().retry_count == 1);

    auto second = a_task(TaskStatus::in_progress, 1);
    CHECK(*second.fail(late, two_retries, t0) == 10s);
    CHECK(second.state().retry_count == 2);

    auto third = a_task(TaskStatus::in_progress, 2);
    CHECK_FALSE(third.fail(late, two_retries, t0)->has_value());
    CHECK(third.state().status == TaskStatus::failed);
    CHECK(third.state().retry_count == 2);
    CHECK(third.state().error_message == "TIMEOUT: no answer");
}

TEST_CASE("task: what can never succeed fails for good at once") {
    for (const auto code : {Errc::invalid, Errc::not_found, Errc::conflict}) {
        auto task = a_task(TaskStatus::in_progress);

        const auto wait = task.fail({code, "why"}, two_retries, t0);

        REQUIRE(wait);
        CHECK_FALSE(wait->has_value());
        CHECK(task.state().status == TaskStatus::failed);
        CHECK(task.state().retry_count == 0);
    }
}

TEST_CASE("task: COMPLETED and FAILED are the ends") {
    for (const auto& [status, name] : names(TaskStatus{})) {
        const bool is_end = status == TaskStatus::completed || status == TaskStatus::failed;
        CHECK(a_task(status).is_terminal() == is_end);
    }
}

TEST_CASE("task: one whose worker is gone is taken over when its lease is over, as a new attempt, and not before") {
    auto task = a_task(TaskStatus::published);
    REQUIRE(task.start(t0, 60s));
    CHECK(task.busy_until(t0 + 59s) == t0 + 60s);
    CHECK_FALSE(task.start(t0 + 59s, 60s));

    CHECK_FALSE(task.busy_until(t0 + 60s));
    REQUIRE(task.start(t0 + 60s, 60s));

    CHECK(task.state().attempt == 2);
    CHECK(task.state().lease_until == t0 + 120s);
    CHECK(task.state().status == TaskStatus::in_progress);
}
