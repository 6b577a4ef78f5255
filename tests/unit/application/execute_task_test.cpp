#include <catch2/catch_test_macros.hpp>

#include "coro/sleep.hpp"
#include "line_world.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

// One listing task of three items, published, with a slot at hand.
struct TaskWorld : LineWorld {
    ports::Delivery message;
    TaskId task;

    TaskWorld() {
        enroll("s1", 3);
        REQUIRE(begin_crawl("s1"));
        REQUIRE(run(relay.run_once()));
        message = receive().at(0);
        task = TaskId{message.body};
        time.advance(1s);
        REQUIRE(run(slots.fill(1))->slots == 1);
    }
    TaskStatus status() { return run(tasks->load(task))->state().status; }
    std::size_t stored_raws() { return run(raws->claim(100, clock.now(), 1s))->size(); }
    int slots_left() { return slots.take() ? 1 : 0; }
};

bool is_ack(const Result<ports::Disposition>& result) {
    return result && std::holds_alternative<ports::Ack>(*result);
}

// The first follow-up of that listing, published, with a slot at hand.
struct ItemWorld : TaskWorld {
    ItemWorld() {
        REQUIRE(is_ack(run(execute.handle(task))));
        REQUIRE(run(queue->ack(message.receipt)));
        REQUIRE(run(relay.run_once()));
        message = receive().at(0);
        task = TaskId{message.body};
        time.advance(1s);
        REQUIRE(run(slots.fill(1))->slots == 1);
    }
};

// A database in which it takes a minute to save a task.
struct SlowToSave final : ports::TaskStore {
    ports::TaskStore& tasks;
    explicit SlowToSave(ports::TaskStore& store) : tasks(store) {}

    Async<Result<CrawlerTask>> load(TaskId id) override { return tasks.load(std::move(id)); }
    Async<Result<CrawlerTask>> save(CrawlerTask task) override {
        co_await coro::sleep(1min);
        co_return co_await tasks.save(std::move(task));
    }
    Async<Result<std::size_t>> finish(ports::TaskOutcome outcome) override { return tasks.finish(std::move(outcome)); }
};

// Lets something happen between the first look at a task and whatever is done about it.
struct BusyTasks final : ports::TaskStore {
    ports::TaskStore& tasks;
    std::function<Async<>()> meanwhile;
    BusyTasks(ports::TaskStore& store, std::function<Async<>()> work) : tasks(store), meanwhile(std::move(work)) {}

    Async<Result<CrawlerTask>> load(TaskId id) override {
        auto task = co_await tasks.load(std::move(id));
        const auto work = std::exchange(meanwhile, nullptr);
        if (work) co_await work();
        co_return task;
    }
    Async<Result<CrawlerTask>> save(CrawlerTask task) override { return tasks.save(std::move(task)); }
    Async<Result<std::size_t>> finish(ports::TaskOutcome outcome) override { return tasks.finish(std::move(outcome)); }
};

}  // namespace

TEST_CASE("execute: the answer, the task's end and its follow-ups are stored together") {
    TaskWorld w;

    CHECK(is_ack(w.run(w.execute.handle(w.task))));

    CHECK(w.status() == TaskStatus::completed);
    CHECK(w.stored_raws() == 1);
    CHECK(w.events<ports::TaskSucceeded>().at(0).follow_ups == 6);
    CHECK(*w.run(w.relay.run_once()) == 6);
}

TEST_CASE("execute: a message is worked on though the relay died before it noted that it sent it") {
    LineWorld w;
    w.enroll("s1", 3);
    REQUIRE(w.begin_crawl("s1"));
    w.faults.add({.call = "outbox_store.settle", .error = {Errc::unavailable, "no database"}});
    REQUIRE_FALSE(w.run(w.relay.run_once()));
    const auto message = w.receive().at(0);
    const TaskId task{message.body};
    REQUIRE(w.run(w.tasks->load(task))->state().status == TaskStatus::waiting);
    w.time.advance(1s);
    REQUIRE(w.run(w.slots.fill(1))->slots == 1);

    CHECK(is_ack(w.run(w.execute.handle(task))));

    CHECK(w.run(w.tasks->load(task))->state().status == TaskStatus::completed);
    // The next relay sends it again, under the key that the queue knows, and notes it; the task stays as it is.
    w.time.advance(2min);
    REQUIRE(w.run(w.relay.run_once()));
    CHECK(w.run(w.tasks->load(task))->state().status == TaskStatus::completed);
}

TEST_CASE("execute: a second delivery of the same task makes no request and keeps its slot") {
    TaskWorld w;
    REQUIRE(is_ack(w.run(w.execute.handle(w.task))));
    w.time.advance(1s);
    REQUIRE(w.run(w.slots.fill(1))->slots == 1);

    CHECK(is_ack(w.run(w.execute.handle(w.task))));

    CHECK(w.events<ports::TaskSucceeded>().size() == 1);
    CHECK(w.slots_left() == 1);
}

TEST_CASE(
    "execute: while another worker is at the task the message waits; when that one's lease is over it costs a retry") {
    TaskWorld w;
    w.faults.add({.call = "task_store.finish", .error = {Errc::unavailable, "no database"}});
    REQUIRE_FALSE(w.run(w.execute.handle(w.task)));  // as if the worker had died there
    w.time.advance(30s);
    REQUIRE(w.run(w.slots.fill(1))->slots == 1);

    const auto waiting = w.run(w.execute.handle(w.task));
    REQUIRE(waiting);
    REQUIRE(std::holds_alternative<ports::RetryAfter>(*waiting));
    CHECK(std::get<ports::RetryAfter>(*waiting).wait == 90s);

    w.time.advance(90s);
    REQUIRE(w.run(w.slots.fill(1))->slots == 1);
    CHECK(is_ack(w.run(w.execute.handle(w.task))));
    CHECK(w.status() == TaskStatus::retry);
    CHECK(w.events<ports::TaskFailed>().size() == 1);

    w.crawl_everything();
    CHECK(w.status() == TaskStatus::completed);
    CHECK(w.run(w.tasks->load(w.task))->state().attempt == 2);
}

TEST_CASE("execute: a message that is faster than the note of its publication is worked on at once") {
    LineWorld w;
    w.enroll("s1", 3);
    REQUIRE(w.begin_crawl("s1"));
    auto entries = w.run(w.task_outbox->claim(1, w.clock.now(), 1min));  // sent, but not yet settled
    w.time.advance(1s);
    REQUIRE(w.run(w.slots.fill(1))->slots == 1);

    CHECK(is_ack(w.run(w.execute.handle(TaskId{entries->at(0).state().payload}))));

    CHECK(w.events<ports::TaskSucceeded>().size() == 1);
    REQUIRE(entries->at(0).mark_sent());
    CHECK(*w.run(w.task_outbox->settle(*entries, w.clock.now())) == 1);
}

TEST_CASE("execute: a message of a task that does not exist is done with and costs no slot") {
    TaskWorld w;
    CHECK(is_ack(w.run(w.execute.handle(TaskId{"no such task"}))));
    CHECK(w.slots_left() == 1);
}

TEST_CASE("execute: a failure that may pass is retried by a new message after its wait") {
    TaskWorld w;
    w.faults.add({.call = "marketplace.fetch", .error = {Errc::unavailable, "HTTP 503"}, .times = 3});

    CHECK(is_ack(w.run(w.execute.handle(w.task))));

    CHECK(w.status() == TaskStatus::retry);
    CHECK(w.stored_raws() == 0);
    CHECK_FALSE(w.events<ports::TaskFailed>().at(0).final);
    CHECK(*w.run(w.relay.run_once()) == 0);
    w.time.advance(1s);
    CHECK(*w.run(w.relay.run_once()) == 1);
    CHECK(w.status() == TaskStatus::published);
}

TEST_CASE("execute: a failure that cannot pass ends the task at once, and the run counts it") {
    TaskWorld w;
    w.faults.add({.call = "marketplace.fetch", .error = {Errc::invalid, "HTTP 400"}});

    CHECK(is_ack(w.run(w.execute.handle(w.task))));

    CHECK(w.status() == TaskStatus::failed);
    CHECK(w.events<ports::TaskFailed>().at(0).final);
    const auto run_id = w.run(w.tasks->load(w.task))->state().execution;
    const auto execution = w.run(w.executions->find(run_id));
    CHECK(execution->state().failed_tasks == 1);
    CHECK(execution->state().status == ExecutionStatus::completed);
}

TEST_CASE("execute: an item that is gone completes its task, the answer is kept, and the run counts it") {
    ItemWorld w;
    w.catalogue["s1"].clear();

    CHECK(is_ack(w.run(w.execute.handle(w.task))));

    const auto state = w.run(w.tasks->load(w.task))->state();
    CHECK(state.status == TaskStatus::completed);
    CHECK(state.completed_as == CompletedAs::gone);
    CHECK(w.stored_raws() == 2);  // the listing's, and this one
    CHECK(w.events<ports::TaskSucceeded>().back().outcome == CompletedAs::gone);
    CHECK(w.events<ports::TaskFailed>().empty());
    CHECK(w.run(w.executions->find(state.execution))->state().completed_tasks == 2);
}

TEST_CASE("execute: a listing that is gone has failed for good") {
    TaskWorld w;
    w.catalogue.clear();

    CHECK(is_ack(w.run(w.execute.handle(w.task))));

    const auto state = w.run(w.tasks->load(w.task))->state();
    CHECK(state.status == TaskStatus::failed);
    CHECK(state.error_class == ErrorClass::gone);
    CHECK(w.events<ports::TaskFailed>().at(0).final);
    CHECK(w.events<ports::TaskSucceeded>().empty());
}

TEST_CASE(
    "execute: a slot that ran out while the task was claimed is not sent with; the task comes back, no retry burned") {
    TaskWorld w;
    SlowToSave slow(*w.tasks);
    application::ExecuteTask execute({slow, *w.identities, *w.marketplace, *w.ids, w.clock, w.pause, *w.telemetry},
                                     w.slots, {});
    w.faults.add({.call = "marketplace.fetch", .error = {Errc::invalid, "a request was sent"}});

    CHECK(is_ack(w.run(execute.handle(w.task))));

    const auto state = w.run(w.tasks->load(w.task))->state();
    CHECK(state.status == TaskStatus::retry);
    CHECK(state.retry_count == 0);
    CHECK_FALSE(state.error_class);
    CHECK(w.events<ports::TaskPostponed>().at(0).task == w.task);
    CHECK(w.events<ports::TaskFailed>().empty());
    w.time.advance(1s);
    CHECK(*w.run(w.relay.run_once()) == 1);
    CHECK(w.status() == TaskStatus::published);
}

TEST_CASE("execute: every publication of a task has a key of its own") {
    TaskWorld w;
    w.faults.add({.call = "marketplace.fetch", .error = {Errc::timeout, "no answer"}, .times = 3});
    REQUIRE(is_ack(w.run(w.execute.handle(w.task))));
    w.time.advance(1s);

    const auto entries = w.run(w.task_outbox->claim(10, w.clock.now(), 1min));

    REQUIRE(entries->size() == 1);
    CHECK(entries->at(0).state().idempotency_key == "outbox-" + w.task.value + "-2");
    CHECK(w.run(w.tasks->load(w.task))->state().publications == 2);
}

TEST_CASE("execute: when the retries are spent the task has failed for good") {
    TaskWorld w;
    w.faults.add({.call = "marketplace.fetch", .error = {Errc::timeout, "no answer"}, .times = 100});

    CHECK(is_ack(w.run(w.execute.handle(w.task))));
    REQUIRE(w.run(w.queue->ack(w.message.receipt)));
    w.crawl_everything();

    CHECK(w.status() == TaskStatus::failed);
    CHECK(w.events<ports::TaskFailed>().size() == 3);
}

TEST_CASE("execute: a good answer is kept even where the pool cannot be told of it") {
    TaskWorld w;
    w.faults.add({.call = "identity_pool.report", .error = {Errc::conflict, "the lease is over"}});

    CHECK(is_ack(w.run(w.execute.handle(w.task))));

    CHECK(w.status() == TaskStatus::completed);
    CHECK(w.stored_raws() == 1);
    CHECK(w.events<ports::SlotUnreported>().size() == 1);
}

TEST_CASE("execute: a result that cannot be stored is an error, and the task is not called done") {
    TaskWorld w;
    w.faults.add({.call = "task_store.finish", .error = {Errc::unavailable, "no database"}});

    CHECK_FALSE(w.run(w.execute.handle(w.task)));

    CHECK(w.status() == TaskStatus::in_progress);
    CHECK(w.stored_raws() == 0);
    CHECK(w.events<ports::TaskSucceeded>().empty());
}

TEST_CASE(
    "execute: of two workers that load the same task one claims it, the other lets go of it until that one's lease is "
    "over") {
    TaskWorld w;
    BusyTasks busy(*w.tasks, [&]() -> Async<> {
        auto task = co_await w.tasks->load(w.task);
        REQUIRE(task->start(w.clock.now(), 2min));
        const auto saved = co_await w.tasks->save(*task);
        REQUIRE(saved);
    });
    application::ExecuteTask execute({busy, *w.identities, *w.marketplace, *w.ids, w.clock, w.pause, *w.telemetry},
                                     w.slots, {});

    const auto other = w.run(execute.handle(w.task));

    REQUIRE(other);
    REQUIRE(std::holds_alternative<ports::RetryAfter>(*other));
    CHECK(std::get<ports::RetryAfter>(*other).wait == 2min);
    CHECK(w.events<ports::TaskSucceeded>().empty());
    CHECK(w.slots_left() == 1);
}

TEST_CASE("execute: a message whose publication is noted while the task is looked at is worked on all the same") {
    LineWorld w;
    w.enroll("s1", 3);
    REQUIRE(w.begin_crawl("s1"));
    auto entries = w.run(w.task_outbox->claim(1, w.clock.now(), 1min));
    const TaskId task{entries->at(0).state().payload};
    REQUIRE(entries->at(0).mark_sent());
    w.time.advance(1s);
    REQUIRE(w.run(w.slots.fill(1))->slots == 1);
    BusyTasks busy(*w.tasks, [&]() -> Async<> {
        const auto settled = co_await w.task_outbox->settle(*entries, w.clock.now());
        REQUIRE(*settled == 1);
    });
    application::ExecuteTask execute({busy, *w.identities, *w.marketplace, *w.ids, w.clock, w.pause, *w.telemetry},
                                     w.slots, {});

    CHECK(is_ack(w.run(execute.handle(task))));

    CHECK(w.run(w.tasks->load(task))->state().status == TaskStatus::completed);
}

TEST_CASE("execute: an answer is stored although the database is gone for a moment, without a second request") {
    TaskWorld w;
    application::ExecuteTask execute({*w.tasks, *w.identities, *w.marketplace, *w.ids, w.clock, w.pause, *w.telemetry},
                                     w.slots, {});
    w.faults.add({.call = "task_store.finish", .error = {Errc::unavailable, "it restarts"}, .times = 3});
    w.faults.add({.call = "marketplace.fetch", .error = {Errc::invalid, "a second request"}, .nth = 2});

    CHECK(is_ack(w.run(execute.handle(w.task))));

    CHECK(w.status() == TaskStatus::completed);
    CHECK(w.stored_raws() == 1);
    CHECK(w.pause.passed.size() == 3);
    CHECK(w.events<ports::TaskSucceeded>().size() == 1);
}

TEST_CASE("execute: what was stored though nobody heard of it is not stored again, and the message has done its duty") {
    TaskWorld w;
    application::ExecuteTask execute({*w.tasks, *w.identities, *w.marketplace, *w.ids, w.clock, w.pause, *w.telemetry},
                                     w.slots, {});
    w.faults.add({.call = "task_store.finish", .error = {Errc::timeout, "while committing"}, .answer_lost = true});

    CHECK(is_ack(w.run(execute.handle(w.task))));

    CHECK(w.status() == TaskStatus::completed);
    CHECK(w.stored_raws() == 1);
}

TEST_CASE("execute: an answer that comes after another has taken the task over changes nothing, and is told") {
    TaskWorld w;
    w.faults.add({.call = "task_store.finish", .error = {Errc::conflict, "task t was saved since it was read"}});

    CHECK(is_ack(w.run(w.execute.handle(w.task))));

    CHECK(w.stored_raws() == 0);
    CHECK(w.events<ports::TaskSucceeded>().empty());
    CHECK(w.events<ports::ClaimsLost>().size() == 1);
}

TEST_CASE("slots: a slot that lay too long is not sent with, nor one whose time is nearly over") {
    TaskWorld w;
    w.time.advance(51s);
    CHECK_FALSE(w.slots.take());
}

TEST_CASE("slots: an exhausted pool says when to ask again") {
    TaskWorld w;
    REQUIRE(w.run(w.slots.fill(2))->slots == 2);
    w.slots.take();
    w.slots.take();

    const auto stock = w.run(w.slots.fill(1));

    CHECK(stock->slots == 0);
    // Both are under way and unanswered: the lease, the guard and the spacing must be over.
    CHECK(stock->next_at == w.clock.now() + 60s + 10s + 1s);
}
