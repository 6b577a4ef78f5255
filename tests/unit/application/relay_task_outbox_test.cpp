#include <catch2/catch_test_macros.hpp>

#include "line_world.hpp"
#include "support/builders.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

// Three listing tasks in the outbox.
struct RelayWorld : LineWorld {
    RelayWorld() {
        enroll("s1", 1400);
        REQUIRE(begin_crawl("s1"));
    }
    TaskStatus status_of(const ports::Delivery& delivery) {
        return run(tasks->load(TaskId{delivery.body}))->state().status;
    }
};

}  // namespace

TEST_CASE("relay: every entry becomes one message and its task is PUBLISHED") {
    RelayWorld w;

    CHECK(*w.run(w.relay.run_once()) == 3);

    const auto messages = w.receive();
    REQUIRE(messages.size() == 3);
    for (const auto& message : messages) CHECK(w.status_of(message) == TaskStatus::published);
    CHECK(*w.run(w.relay.run_once()) == 0);
}

TEST_CASE("relay: detail and options of one product are handed out one after the other, those of others meanwhile") {
    LineWorld w;
    w.enroll("s1", 2);
    REQUIRE(w.begin_crawl("s1"));
    REQUIRE(w.run(w.relay.run_once()));
    const auto listing = w.receive().at(0);
    w.time.advance(1s);
    REQUIRE(w.run(w.slots.fill(1))->slots == 1);
    REQUIRE(w.run(w.execute.handle(TaskId{listing.body})));
    REQUIRE(w.run(w.queue->ack(listing.receipt)));
    REQUIRE(*w.run(w.relay.run_once()) == 4);

    const auto first = w.receive();
    REQUIRE(first.size() == 2);
    CHECK(w.receive().empty());

    for (const auto& delivery : first) REQUIRE(w.run(w.queue->ack(delivery.receipt)));
    CHECK(w.receive().size() == 2);
}

TEST_CASE("relay: where one message of a batch is refused only that one is tried again") {
    RelayWorld w;
    w.faults.add({.call = "message_queue.send_one", .error = {Errc::unavailable, "busy"}, .nth = 2});

    CHECK(*w.run(w.relay.run_once()) == 3);
    CHECK(w.receive().size() == 2);
    CHECK(w.events<ports::TasksPublished>().at(0).retried == 1);

    w.time.advance(1s);
    CHECK(*w.run(w.relay.run_once()) == 1);
    CHECK(w.receive().size() == 1);
}

TEST_CASE("relay: a queue that is down fails every entry of the batch, and all come back later") {
    RelayWorld w;
    w.faults.add({.call = "message_queue.send", .error = {Errc::unavailable, "no queue"}});

    CHECK(*w.run(w.relay.run_once()) == 3);
    CHECK(*w.run(w.relay.run_once()) == 0);

    w.time.advance(1s);
    CHECK(*w.run(w.relay.run_once()) == 3);
    CHECK(w.receive().size() == 3);
}

TEST_CASE("relay: retries are bounded; then the entry is dead and says so") {
    RelayWorld w;
    w.faults.add({.call = "message_queue.send", .error = {Errc::unavailable, "no queue"}, .times = 100});

    for (int i = 0; i < 20; ++i) {
        REQUIRE(w.run(w.relay.run_once()));
        w.time.advance(10min);
    }

    std::size_t dead = 0;
    for (const auto& event : w.events<ports::TasksPublished>()) dead += event.dead;
    CHECK(dead == 3);
    CHECK(w.events<ports::TasksPublished>().size() == 6);  // the first try and five more
}

TEST_CASE("relay: a send whose answer is lost is sent again and dropped as a duplicate by the queue") {
    RelayWorld w;
    w.faults.add({.call = "message_queue.send", .error = {Errc::timeout, "no answer"}, .answer_lost = true});

    CHECK(*w.run(w.relay.run_once()) == 3);
    w.time.advance(1s);
    CHECK(*w.run(w.relay.run_once()) == 3);

    CHECK(w.receive().size() == 3);
}

TEST_CASE("relay: entries of a relay that died are claimed by the next one when the lease is over") {
    RelayWorld w;
    REQUIRE(w.run(w.task_outbox->claim(10, w.clock.now(), 1min)));

    CHECK(*w.run(w.relay.run_once()) == 0);
    w.time.advance(1min);
    CHECK(*w.run(w.relay.run_once()) == 3);
}

TEST_CASE("relay: no more is published than the request budget can serve soon, with what waits in the queue already") {
    RelayWorld w;
    // Two identities, a request a second each: four can be asked within a second.
    application::RelayTaskOutbox relay({*w.task_outbox, *w.queue, *w.identities, w.clock, *w.telemetry},
                                       {.outbox = {}, .horizon = 1s});
    REQUIRE(w.run(w.identities->look(1s))->servable == 4);
    REQUIRE(w.run(w.queue->send({{"a", "a", ""}, {"b", "b", ""}})));

    CHECK(*w.run(relay.run_once()) == 2);
    CHECK(*w.run(relay.run_once()) == 0);
    CHECK(w.run(w.queue->depth())->waiting == 4);

    CHECK(w.receive().size() == 4);  // workers have them
    CHECK(*w.run(relay.run_once()) == 1);
}

TEST_CASE("relay: that publishing is held back is told when it begins and when it ends, and not in between") {
    RelayWorld w;
    application::RelayTaskOutbox relay({*w.task_outbox, *w.queue, *w.identities, w.clock, *w.telemetry},
                                       {.outbox = {}, .horizon = 1s});
    REQUIRE(w.run(w.queue->send({{"a", "a", ""}, {"b", "b", ""}, {"c", "c", ""}, {"d", "d", ""}})));

    for (int i = 0; i < 3; ++i) CHECK(*w.run(relay.run_once()) == 0);
    REQUIRE(w.events<ports::PublishingHeldBack>().size() == 1);
    CHECK(w.events<ports::PublishingHeldBack>()[0].held);
    CHECK(w.events<ports::PublishingHeldBack>()[0].servable == 4);
    CHECK(w.events<ports::PublishingHeldBack>()[0].waiting == 4);

    w.receive();
    CHECK(*w.run(relay.run_once()) == 3);
    CHECK(w.events<ports::PublishingHeldBack>().size() == 2);
    CHECK_FALSE(w.events<ports::PublishingHeldBack>()[1].held);
}

TEST_CASE("relay: nothing is published while the breaker is open") {
    RelayWorld w;
    // Both identities are throttled: fewer are left than the breaker wants.
    for (int i = 0; i < 2; ++i) {
        w.time.advance(2s);
        const auto reserved = w.run(w.identities->reserve());
        if (const auto* slot = std::get_if<ports::Slot>(&*reserved))
            REQUIRE(w.run(w.identities->report(*slot, ports::SlotOutcome::throttled)));
    }
    REQUIRE(w.run(w.identities->look(1min))->breaker == BreakerStatus::open);

    CHECK(*w.run(w.relay.run_once()) == 0);
    CHECK(w.receive().empty());
    CHECK(w.events<ports::PublishingHeldBack>().at(0).servable == 0);
}

TEST_CASE("relay: where it is not known what can be served nothing is claimed") {
    RelayWorld w;
    SECTION("of the budget") {
        w.faults.add({.call = "identity_pool.look", .error = {Errc::unavailable, "no pool"}});
    }
    SECTION("of the queue") {
        w.faults.add({.call = "message_queue.depth", .error = {Errc::unavailable, "no queue"}});
    }

    CHECK(code_of(w.run(w.relay.run_once())) == "UNAVAILABLE");
    CHECK(w.receive().empty());
    CHECK(*w.run(w.relay.run_once()) == 3);
}

TEST_CASE("relay: every look at the pool is told, for the metrics") {
    LineWorld w;

    REQUIRE(w.run(w.relay.run_once()));

    const auto pool = w.events<ports::PoolObserved>().at(0);
    CHECK(pool.total == 2);
    CHECK(pool.available == 2);
    CHECK(pool.health_average == 100);
    CHECK(pool.budget_left == 160);
    CHECK_FALSE(pool.paused);
}
