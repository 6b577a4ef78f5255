#include <catch2/catch_test_macros.hpp>

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

}  // namespace

TEST_CASE("execute: the answer, the task's end and its follow-ups are stored together") {
    TaskWorld w;

    CHECK(is_ack(w.run(w.execute.handle(w.task))));

    CHECK(w.status() == TaskStatus::completed);
    CHECK(w.stored_raws() == 1);
    CHECK(w.events<ports::TaskSucceeded>().at(0).follow_ups == 6);
    CHECK(*w.run(w.relay.run_once()) == 6);
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
    "execute: while another worker is at the task the message waits, and takes it over when that one's lease is over") {
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
    CHECK(w.status() == TaskStatus::completed);
    CHECK(w.run(w.tasks->load(w.task))->state().attempt == 2);
}

TEST_CASE("execute: a message that is faster than its own publication waits for it and is not lost") {
    LineWorld w;
    w.enroll("s1", 3);
    REQUIRE(w.begin_crawl("s1"));
    auto entries = w.run(w.task_outbox->claim(1, w.clock.now(), 1min));  // sent, but not yet settled
    w.time.advance(1s);
    REQUIRE(w.run(w.slots.fill(1))->slots == 1);

    const auto early = w.run(w.execute.handle(TaskId{entries->at(0).state().payload}));

    REQUIRE(early);
    CHECK(std::holds_alternative<ports::RetryAfter>(*early));
    CHECK(w.slots.take());
    CHECK(w.events<ports::TaskSucceeded>().empty());
}

TEST_CASE("execute: a message of a task that does not exist is done with and costs no slot") {
    TaskWorld w;
    CHECK(is_ack(w.run(w.execute.handle(TaskId{"no such task"}))));
    CHECK(w.slots_left() == 1);
}

TEST_CASE("execute: without a slot nothing begins, and the message comes back") {
    TaskWorld w;
    w.slots.take();

    const auto result = w.run(w.execute.handle(w.task));

    REQUIRE(result);
    CHECK(std::holds_alternative<ports::RetryAfter>(*result));
    CHECK(w.status() == TaskStatus::published);
}

TEST_CASE("execute: a failure that may pass is retried by a new message after its wait") {
    TaskWorld w;
    w.faults.add({.call = "marketplace.fetch", .error = {Errc::unavailable, "HTTP 503"}});

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

TEST_CASE("execute: when the retries are spent the task has failed for good") {
    TaskWorld w;
    w.faults.add({.call = "marketplace.fetch", .error = {Errc::timeout, "no answer"}, .times = 10});

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

TEST_CASE("execute: of two workers that load the same task one claims it, the other lets go") {
    TaskWorld w;
    w.faults.add({.call = "task_store.save", .error = {Errc::conflict, "somebody else was first"}});

    CHECK(is_ack(w.run(w.execute.handle(w.task))));

    CHECK(w.events<ports::TaskSucceeded>().empty());
    CHECK(w.slots_left() == 1);
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
    CHECK(stock->next_at == w.clock.now() + 1s);
}
