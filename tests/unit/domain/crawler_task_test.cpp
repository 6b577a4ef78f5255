#include "domain/crawler_task.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <functional>

#include "support/builders/task.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

constexpr RetryPolicy two_retries{.max_retries = 2, .first_wait = 5s, .jitter_percent = 0};
const Error late{Errc::timeout, "no answer"};

CrawlerTask running(int retries = 0) {
    return a_task().in_progress().retries(retries);
}

}  // namespace

TEST_CASE("task: a new one is WAITING and has not been tried") {
    const auto task = CrawlerTask::create(TaskId{"t-1"}, ExecutionId{"e-1"}, *SellerId::parse("머스트잇"),
                                          a_detail_url(5'000'000'001), t0);

    const auto& state = task.state();
    CHECK(state.id == TaskId{"t-1"});
    CHECK(state.execution == ExecutionId{"e-1"});
    CHECK(state.seller.value() == "머스트잇");
    CHECK(task.type() == TaskType::product_detail);
    CHECK(state.status == TaskStatus::waiting);
    CHECK(state.attempt + state.retry_count + state.rescue_count + state.publications == 0);
    CHECK(state.error_message.empty());
    CHECK_FALSE(state.error_class);
    CHECK_FALSE(state.completed_as);
    CHECK_FALSE(state.lease_until);
    CHECK_FALSE(state.published_at);
    CHECK_FALSE(state.started_at);
    CHECK_FALSE(state.completed_at);
    CHECK(state.created_at == t0);
    CHECK(state.updated_at == t0);
    CHECK(state.revision == 0);
}

TEST_CASE("task: it takes down when it was published, started and completed") {
    CrawlerTask task = a_task();

    REQUIRE(task.publish(t0 + 1s));
    REQUIRE(task.start(t0 + 2s, 60s));
    REQUIRE(task.complete(t0 + 3s));

    CHECK(task.state().published_at == t0 + 1s);
    CHECK(task.state().started_at == t0 + 2s);
    CHECK(task.state().completed_at == t0 + 3s);
    CHECK(task.state().updated_at == t0 + 3s);
}

TEST_CASE("task: of several publications and starts the last is taken down") {
    CrawlerTask task = a_task().in_progress();
    REQUIRE(task.fail(late, two_retries, t0 + 1s));

    REQUIRE(task.publish(t0 + 8s));
    REQUIRE(task.start(t0 + 9s, 60s));

    CHECK(task.state().published_at == t0 + 8s);
    CHECK(task.state().started_at == t0 + 9s);
}

TEST_CASE("task: each start counts an attempt and takes a lease; leaving it gives the lease up") {
    CrawlerTask task = a_task().published();
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

TEST_CASE(
    "task: one whose worker is gone is let go of when its lease is over, at the price of a retry, and not before") {
    auto task = running();
    CHECK(task.busy_until(t0 + 60s - 1us) == t0 + 60s);
    const auto early = task.abandon({.max_retries = 2}, t0 + 60s - 1us);
    REQUIRE_FALSE(early);
    CHECK(early.error().code == Errc::conflict);
    CHECK(early.error().detail ==
          "CrawlerTask t-1 is IN_PROGRESS; cannot abandon it: its lease runs until 2026-11-18T09:01:00.000000Z");

    CHECK_FALSE(task.busy_until(t0 + 60s));
    REQUIRE(task.abandon({.max_retries = 2}, t0 + 60s));

    CHECK(task.state().status == TaskStatus::retry);
    CHECK(task.state().retry_count == 1);
    CHECK_FALSE(task.state().lease_until);
}

TEST_CASE("task: work that kills its worker every time comes to an end") {
    auto task = running();
    auto now = t0;
    int deaths = 0;
    while (task.state().status != TaskStatus::failed) {
        now += 60s;
        REQUIRE(task.abandon({.max_retries = 2}, now));
        ++deaths;
        if (task.publish(now)) REQUIRE(task.start(now, 60s));
    }
    CHECK(deaths == 3);
}

TEST_CASE("task: one in progress without a lease belongs to nobody") {
    CrawlerTask task = a_task().in_progress().leased_until(std::nullopt);

    CHECK_FALSE(task.busy_until(t0));
    CHECK(task.abandon({}, t0));
}

TEST_CASE("task: nobody is at a task that is not in progress") {
    for (const auto& [status, name] : names(TaskStatus{})) {
        if (status == TaskStatus::in_progress) continue;
        INFO(name);
        const CrawlerTask task = a_task().in(status).leased_until(t0 + 60s);
        CHECK_FALSE(task.busy_until(t0));
    }
}

TEST_CASE("task: COMPLETED and FAILED are the ends, WAITING and RETRY await publication") {
    for (const auto& [status, name] : names(TaskStatus{})) {
        INFO(name);
        const CrawlerTask task = a_task().in(status);
        CHECK(task.is_terminal() == (status == TaskStatus::completed || status == TaskStatus::failed));
        CHECK(task.awaits_publication() == (status == TaskStatus::waiting || status == TaskStatus::retry));
    }
}

TEST_CASE("task: a completed one says how, and no longer what went wrong before") {
    CrawlerTask task = a_task().in_progress().retries(1).failed_as(ErrorClass::throttled, "HTTP 429");

    REQUIRE(task.complete(t0));

    CHECK(task.state().completed_as == CompletedAs::fetched);
    CHECK_FALSE(task.state().error_class);
    CHECK(task.state().error_message.empty());
    CHECK(task.state().retry_count == 1);
}

TEST_CASE("task: an item that is gone completes its task") {
    const auto url = GENERATE(*RequestUrl::detail(4711), *RequestUrl::option(4711));
    CrawlerTask task = a_task().asking(url).in_progress();

    REQUIRE(task.complete(t0, CompletedAs::gone));

    CHECK(task.state().status == TaskStatus::completed);
    CHECK(task.state().completed_as == CompletedAs::gone);
}

TEST_CASE("task: a listing cannot be gone") {
    const auto url = GENERATE(a_listing_url(), *RequestUrl::search("가방"));
    CrawlerTask task = a_task().asking(url).in_progress();
    const auto before = task.state();

    const auto done = task.complete(t0, CompletedAs::gone);

    REQUIRE_FALSE(done);
    CHECK(done.error().code == Errc::invalid);
    CHECK(done.error().detail ==
          "CrawlerTask t-1 is a " + std::string(to_string(url.type())) + "; only an item can be gone");
    CHECK(task.state() == before);
}

TEST_CASE("task: a listing that is not in progress is a conflict, gone or not") {
    CrawlerTask task = a_task().published();

    const auto done = task.complete(t0, CompletedAs::gone);

    REQUIRE_FALSE(done);
    CHECK(done.error().code == Errc::conflict);
}

TEST_CASE("task: a failure that may pass waits longer each time and fails for good when the retries are spent") {
    auto first = running(0);
    CHECK(*first.fail(late, two_retries, t0) == 5s);
    CHECK(first.state().retry_count == 1);
    CHECK(first.state().status == TaskStatus::retry);

    auto second = running(1);
    CHECK(*second.fail(late, two_retries, t0) == 10s);
    CHECK(second.state().retry_count == 2);

    auto third = running(2);
    CHECK_FALSE(third.fail(late, two_retries, t0)->has_value());
    CHECK(third.state().status == TaskStatus::failed);
    CHECK(third.state().retry_count == 2);
    CHECK(third.state().completed_at == t0);
}

TEST_CASE("task: by default there are two retries") {
    CHECK(running(1).fail(late, RetryPolicy{}, t0)->has_value());
    CHECK_FALSE(running(2).fail(late, RetryPolicy{}, t0)->has_value());
}

TEST_CASE("task: throttled, transient and refused requests burn a retry, a permanent error ends the task") {
    for (const auto why : {ErrorClass::throttled, ErrorClass::transient, ErrorClass::auth}) {
        auto task = running();
        REQUIRE(task.fail(why, "왜", two_retries, t0));
        CHECK(task.state().status == TaskStatus::retry);
        CHECK(task.state().retry_count == 1);
        CHECK(task.state().error_class == why);
        CHECK(task.state().error_message == "왜");
    }
    auto task = running();
    CHECK_FALSE(task.fail(ErrorClass::permanent, "HTTP 400", two_retries, t0)->has_value());
    CHECK(task.state().status == TaskStatus::failed);
    CHECK(task.state().retry_count == 0);
    CHECK(task.state().error_class == ErrorClass::permanent);
}

TEST_CASE("task: an error of the marketplace fails by its class and is kept in words") {
    const auto outcome = [](Errc code) {
        auto task = running();
        REQUIRE(task.fail({code, "그"}, two_retries, t0));
        return std::tuple(task.state().status, *task.state().error_class, task.state().error_message);
    };
    using enum TaskStatus;
    CHECK(outcome(Errc::rate_limited) == std::tuple(retry, ErrorClass::throttled, "RATE_LIMITED: 그"));
    CHECK(outcome(Errc::blocked) == std::tuple(retry, ErrorClass::auth, "BLOCKED: 그"));
    CHECK(outcome(Errc::timeout) == std::tuple(retry, ErrorClass::transient, "TIMEOUT: 그"));
    CHECK(outcome(Errc::unavailable) == std::tuple(retry, ErrorClass::transient, "UNAVAILABLE: 그"));
    CHECK(outcome(Errc::invalid) == std::tuple(failed, ErrorClass::permanent, "INVALID: 그"));
    CHECK(outcome(Errc::conflict) == std::tuple(failed, ErrorClass::permanent, "CONFLICT: 그"));
    CHECK(outcome(Errc::not_found) == std::tuple(failed, ErrorClass::gone, "NOT_FOUND: 그"));  // a listing
}

TEST_CASE("task: what the marketplace asks for is the least it waits") {
    CHECK(*running().fail(ErrorClass::throttled, "429", two_retries, t0, 5s - 1us) == 5s);
    CHECK(*running().fail(ErrorClass::throttled, "429", two_retries, t0, 5s) == 5s);
    CHECK(*running().fail(ErrorClass::throttled, "429", two_retries, t0, 1h) == 1h);
    CHECK(*running().fail({Errc::rate_limited, "429"}, two_retries, t0, 1h) == 1h);
    CHECK(*running().fail(ErrorClass::throttled, "429", two_retries, t0, -1h) == 5s);
}

TEST_CASE("task: being asked to wait does not give retries that are spent") {
    auto task = running(2);
    CHECK_FALSE(task.fail(ErrorClass::throttled, "429", two_retries, t0, 1h)->has_value());
    CHECK(task.state().status == TaskStatus::failed);
}

TEST_CASE("task: want of capacity is not a failure") {
    auto task = running();
    const auto before = task.state();

    const auto failed = task.fail(ErrorClass::no_capacity, "pool empty", two_retries, t0);

    REQUIRE_FALSE(failed);
    CHECK(failed.error().code == Errc::invalid);
    CHECK(failed.error().detail == "CrawlerTask t-1 had no capacity; postpone it");
    CHECK(task.state() == before);
}

TEST_CASE("task: an item that is gone is not a failure, a listing that is gone is one for good") {
    CrawlerTask item = a_task().asking(a_detail_url()).in_progress();
    const auto failed = item.fail(ErrorClass::gone, "HTTP 410", two_retries, t0);
    REQUIRE_FALSE(failed);
    CHECK(failed.error().code == Errc::invalid);
    CHECK(item.state().status == TaskStatus::in_progress);

    auto listing = running();
    CHECK_FALSE(listing.fail(ErrorClass::gone, "HTTP 404", two_retries, t0)->has_value());
    CHECK(listing.state().status == TaskStatus::failed);
}

TEST_CASE("task: postponed, it has burned no retry however often") {
    CrawlerTask task = a_task().published().retries(2);
    for (int i = 1; i <= 50; ++i) {
        REQUIRE(task.start(t0, 60s));
        REQUIRE(task.postpone(t0 + 1s));
        CHECK(task.state().status == TaskStatus::retry);
        REQUIRE(task.publish(t0 + 2s));
    }
    CHECK(task.state().retry_count == 2);
    CHECK(task.state().attempt == 50);
    CHECK_FALSE(task.state().error_class);
}

TEST_CASE("task: postponing keeps what went wrong before") {
    CrawlerTask task = a_task().in_progress().failed_as(ErrorClass::auth, "HTTP 401");
    REQUIRE(task.postpone(t0));
    CHECK(task.state().error_class == ErrorClass::auth);
    CHECK(task.state().error_message == "HTTP 401");
}

TEST_CASE("task: abandoned with its lease over, it is retried and says which attempt was lost") {
    CrawlerTask task = a_task().in_progress().attempts(7);

    const auto wait = task.abandon(two_retries, t0 + 60s);

    REQUIRE(wait);
    CHECK(*wait == 5s);
    CHECK(task.state().status == TaskStatus::retry);
    CHECK(task.state().retry_count == 1);
    CHECK(task.state().attempt == 7);
    CHECK(task.state().error_class == ErrorClass::transient);
    CHECK(task.state().error_message == "attempt 7 ended with its lease, without an outcome");
}

TEST_CASE("task: abandoned once too often, it has FAILED") {
    auto task = running(2);
    CHECK_FALSE(task.abandon(two_retries, t0 + 60s)->has_value());
    CHECK(task.state().status == TaskStatus::failed);
    CHECK(task.state().completed_at == t0 + 60s);
}

TEST_CASE("task: it is not abandoned while its lease runs") {
    auto task = running();

    const auto wait = task.abandon(two_retries, t0 + 60s - 1us);

    REQUIRE_FALSE(wait);
    CHECK(wait.error().code == Errc::conflict);
    CHECK(wait.error().detail ==
          "CrawlerTask t-1 is IN_PROGRESS; cannot abandon it: its lease runs until 2026-11-18T09:01:00.000000Z");
}

TEST_CASE("task: republished, it stays where it is until the rescues are spent; then it has FAILED") {
    const auto status = GENERATE(TaskStatus::waiting, TaskStatus::published, TaskStatus::retry);
    CrawlerTask task = a_task().in(status).retries(1);
    for (int i = 1; i <= 3; ++i) {
        CHECK(*task.republish(RescuePolicy{}, t0 + 1h * i));
        CHECK(task.state().status == status);
        CHECK(task.state().rescue_count == i);
        CHECK(task.state().updated_at == t0 + 1h * i);
    }

    CHECK_FALSE(*task.republish(RescuePolicy{}, t0 + 4h));

    CHECK(task.state().status == TaskStatus::failed);
    CHECK(task.state().rescue_count == 3);
    CHECK(task.state().retry_count == 1);
    CHECK(task.state().completed_at == t0 + 4h);
    CHECK(task.state().error_class == ErrorClass::transient);
    CHECK(task.state().error_message == "published again 3 times by rescue, and never started");
}

TEST_CASE("task: a start shows that messages get through, so the rescues count anew") {
    CrawlerTask task = a_task().published().rescues(3);

    REQUIRE(task.start(t0, 60s));

    CHECK(task.state().rescue_count == 0);
}

TEST_CASE("task: revived by an operator it has all its retries and rescues, and keeps what went wrong") {
    CrawlerTask task =
        a_task().in(TaskStatus::failed).attempts(3).retries(2).rescues(3).failed_as(ErrorClass::permanent, "HTTP 400");

    REQUIRE(task.retry(t0 + 1h));

    CHECK(task.state().status == TaskStatus::retry);
    CHECK(task.state().retry_count == 0);
    CHECK(task.state().rescue_count == 0);
    CHECK(task.state().attempt == 3);
    CHECK(task.state().error_class == ErrorClass::permanent);
    CHECK(task.state().error_message == "HTTP 400");
    CHECK_FALSE(task.state().completed_at);
}

TEST_CASE("task: its publication carries its id under a key of its own, in the group of what it asks for") {
    CrawlerTask task = a_task("t-1").asking(a_detail_url(5'000'000'001));

    const auto entry = task.publication(OutboxId{"o-1"}, t0).state();

    CHECK(entry.id == OutboxId{"o-1"});
    CHECK(entry.subject == "t-1");
    CHECK(entry.payload == "t-1");
    CHECK(entry.group == "item-5000000001");
    CHECK(entry.idempotency_key == "outbox-t-1-1");
    CHECK(entry.status == OutboxStatus::pending);
    CHECK(entry.due_at == t0);
    CHECK(entry.created_at == t0);
    CHECK(task.state().publications == 1);
}

TEST_CASE("task: a publication that shall wait is due later") {
    CrawlerTask task = a_task().in(TaskStatus::retry);
    CHECK(task.publication(OutboxId{"o-1"}, t0, 5s).state().due_at == t0 + 5s);
}

TEST_CASE("task: no two publications share a key, be they of retries, rescues or a new life") {
    CrawlerTask task = a_task();
    CHECK(task.publication(OutboxId{"o-1"}, t0).state().idempotency_key == "outbox-t-1-1");
    REQUIRE(*task.republish({}, t0));  // the entry died
    CHECK(task.publication(OutboxId{"o-2"}, t0).state().idempotency_key == "outbox-t-1-2");
    REQUIRE(task.publish(t0));
    REQUIRE(*task.republish({}, t0));  // the message was lost
    CHECK(task.publication(OutboxId{"o-3"}, t0).state().idempotency_key == "outbox-t-1-3");
    REQUIRE(task.start(t0, 60s));
    REQUIRE(task.fail(ErrorClass::permanent, "HTTP 400", two_retries, t0));
    REQUIRE(task.retry(t0));
    CHECK(task.publication(OutboxId{"o-4"}, t0).state().idempotency_key == "outbox-t-1-4");
}

TEST_CASE("task: two states are the same only if nothing at all differs") {
    using State = CrawlerTask::State;
    const auto differ = [](const std::function<void(State&)>& change) {
        const auto one = a_task().in_progress().build().state();
        auto other = one;
        change(other);
        return one != other;
    };
    CHECK_FALSE(differ([](State&) {}));
    CHECK(differ([](State& s) { s.id.value = "t-2"; }));
    CHECK(differ([](State& s) { s.execution.value = "e-2"; }));
    CHECK(differ([](State& s) { s.seller = *SellerId::parse("머스트잇"); }));
    CHECK(differ([](State& s) { s.request_url = a_listing_url(1); }));
    CHECK(differ([](State& s) { s.status = TaskStatus::retry; }));
    CHECK(differ([](State& s) { ++s.attempt; }));
    CHECK(differ([](State& s) { ++s.retry_count; }));
    CHECK(differ([](State& s) { ++s.rescue_count; }));
    CHECK(differ([](State& s) { ++s.publications; }));
    CHECK(differ([](State& s) { s.lease_until.reset(); }));
    CHECK(differ([](State& s) { s.completed_as = CompletedAs::gone; }));
    CHECK(differ([](State& s) { s.error_class = ErrorClass::auth; }));
    CHECK(differ([](State& s) { s.error_message = "늦음"; }));
    CHECK(differ([](State& s) { s.created_at += 1us; }));
    CHECK(differ([](State& s) { s.published_at = t0 + 1us; }));
    CHECK(differ([](State& s) { s.started_at = t0 + 1us; }));
    CHECK(differ([](State& s) { s.completed_at = t0; }));
    CHECK(differ([](State& s) { s.updated_at += 1us; }));
    CHECK(differ([](State& s) { ++s.revision; }));
}

TEST_CASE("task: what it was completed as has a name that can be read back") {
    CHECK(to_string(CompletedAs::fetched) == "FETCHED");
    CHECK(parse<CompletedAs>("GONE") == CompletedAs::gone);
    CHECK_FALSE(parse<CompletedAs>("LOST"));
}

TEST_CASE("task: nobody can park it for good by asking for a long wait") {
    auto task = running();

    const auto wait = task.fail(ErrorClass::throttled, "HTTP 429", {.max_retries = 2}, t0, Duration::max());

    REQUIRE(wait);
    CHECK(*wait == 24h);
}
