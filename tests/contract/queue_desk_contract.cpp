#include <catch2/catch_template_test_macros.hpp>

#include "contract/queue_steps.hpp"
#include "queue_players.hpp"

using namespace crawler;
using namespace crawler::test;
using ports::QueueDepth;
using ports::QueuePart;

namespace {

template <class Fixture>
std::vector<ports::StoredMessage> peek(Fixture& f, QueuePart part = QueuePart::waiting, int limit = 100) {
    f.let_time_run();
    auto seen = f.run(f.desk->peek(part, limit));
    REQUIRE(seen);
    return *seen;
}

template <class Fixture>
std::size_t redrive(Fixture& f, int limit = 100) {
    f.let_time_run();
    auto count = f.run(f.desk->redrive(limit));
    REQUIRE(count);
    return *count;
}

template <class Fixture>
std::size_t purge(Fixture& f, QueuePart part, int limit = 100) {
    f.let_time_run();
    auto count = f.run(f.desk->purge(part, limit));
    REQUIRE(count);
    return *count;
}

template <class Fixture>
QueueDepth seen_depth(Fixture& f) {
    f.let_it_count();
    auto depth = f.run(f.desk->depth());
    REQUIRE(depth);
    return *depth;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("queue desk: of an empty queue there is nothing to see, and nothing to do",
                        "[contract][queue_desk]", QueueFixtures) {
    TestType f;
    CHECK(seen_depth(f) == QueueDepth{});
    for (const auto part : {QueuePart::waiting, QueuePart::dead}) {
        CHECK(peek(f, part).empty());
        CHECK(purge(f, part) == 0);
    }
    CHECK(redrive(f) == 0);
}

TEMPLATE_LIST_TEST_CASE("queue desk: the oldest messages are shown as they lie there, and stay so",
                        "[contract][queue_desk]", QueueFixtures) {
    excuse<TestType>(Quirk::shows_what_it_delivers);
    TestType f;
    send(f, {{.body = "a1", .group = "a"}, {.body = "a2", .group = "a"}, {.body = "1"}});
    f.advance(1s);
    const auto delivery = receive_one(f);

    const auto seen = peek(f);
    REQUIRE(seen.size() == 3);
    CHECK(seen[0].message_id == delivery.message_id);
    CHECK(seen[0].body == "a1");
    CHECK(seen[0].group == "a");
    CHECK(seen[0].sent_at == f.now() - 1s);
    CHECK(seen[0].receive_count == 1);
    CHECK(seen[0].in_flight_until == f.now() + f.visibility);
    CHECK_FALSE(seen[0].died_at);
    CHECK(seen[1].body == "a2");
    CHECK(seen[1].receive_count == 0);
    CHECK_FALSE(seen[1].in_flight_until);
    CHECK(seen[2].group.empty());
    CHECK(bodies(peek(f, QueuePart::waiting, 2)) == Bodies{"a1", "a2"});
    CHECK(peek(f) == seen);
    CHECK(f.run(f.queue->ack(delivery.receipt)));
}

TEMPLATE_LIST_TEST_CASE("queue desk: a message that is visible again is not in flight", "[contract][queue_desk]",
                        QueueFixtures) {
    excuse<TestType>(Quirk::shows_what_it_delivers);
    TestType f;
    send(f, {{.body = "1"}});
    REQUIRE(f.run(f.queue->retry_after(receive_one(f).receipt, 10s)));
    CHECK(peek(f).front().in_flight_until == f.now() + 10s);

    f.advance(10s);
    CHECK_FALSE(peek(f).front().in_flight_until);
}

TEMPLATE_LIST_TEST_CASE("queue desk: a dead letter is shown with its count and when it died", "[contract][queue_desk]",
                        QueueFixtures) {
    excuse<TestType>(Quirk::shows_what_it_delivers);
    TestType f;
    send(f, {{.body = "poison", .group = "a"}});
    const auto id = peek(f).front().message_id;
    f.advance(1s);
    kill_one(f);
    CHECK(receive(f).empty());

    const auto dead = peek(f, QueuePart::dead);
    REQUIRE(dead.size() == 1);
    CHECK(dead[0].message_id == id);
    CHECK(dead[0].body == "poison");
    CHECK(dead[0].group == "a");
    CHECK(dead[0].sent_at == f.now() - 1s);
    CHECK(dead[0].receive_count == f.max_receive_count);
    CHECK(dead[0].died_at == f.now());
    CHECK_FALSE(dead[0].in_flight_until);
    CHECK(peek(f).empty());
    CHECK(seen_depth(f) == QueueDepth{.dead = 1});
}

TEMPLATE_LIST_TEST_CASE("queue desk: redriven letters are received again, the oldest first, as if never before",
                        "[contract][queue_desk]", QueueFixtures) {
    excuse<TestType>(Quirk::moves_out_of_sight);
    TestType f;
    for (const std::string body : {"1", "2", "3"}) {
        send(f, {{.body = body, .deduplication_id = body}});
        kill_one(f);
        CHECK(receive(f).empty());
    }

    CHECK(redrive(f, 2) == 2);

    CHECK(seen_depth(f) == QueueDepth{.waiting = 2, .dead = 1});
    const auto again = receive(f);
    CHECK(again.size() == 2);
    if (!excused<TestType>(Quirk::shows_what_it_delivers)) CHECK(bodies(again) == Bodies{"1", "2"});
    for (const auto& delivery : again) {
        CHECK(delivery.receive_count == 1);
        CHECK(f.run(f.queue->ack(delivery.receipt)));
    }
    CHECK(redrive(f) == 1);
    kill_one(f);
    CHECK(receive(f).empty());
    CHECK(peek(f, QueuePart::dead).size() == 1);
    if (!excused<TestType>(Quirk::shows_what_it_delivers)) CHECK(bodies(peek(f, QueuePart::dead)) == Bodies{"3"});
}

TEMPLATE_LIST_TEST_CASE("queue desk: a redriven letter stands behind what waits in its group", "[contract][queue_desk]",
                        QueueFixtures) {
    excuse<TestType>(Quirk::moves_out_of_sight);
    TestType f;
    send(f, {{.body = "a1", .group = "a"}});
    kill_one(f);
    CHECK(receive(f).empty());
    send(f, {{.body = "a2", .group = "a"}});
    const auto second = receive_one(f);

    CHECK(redrive(f) == 1);

    CHECK(receive(f).empty());
    REQUIRE(f.run(f.queue->ack(second.receipt)));
    CHECK(bodies(receive(f)) == Bodies{"a1"});
}

TEMPLATE_LIST_TEST_CASE("queue desk: a purge takes the oldest and leaves what is in flight", "[contract][queue_desk]",
                        QueueFixtures) {
    excuse<TestType>(Quirk::shows_what_it_delivers);
    TestType f;
    send(f, {{.body = "1"}, {.body = "2"}, {.body = "3"}});
    const auto first = receive_one(f);

    CHECK(purge(f, QueuePart::waiting, 1) == 1);
    CHECK(bodies(peek(f)) == Bodies{"1", "3"});
    CHECK(purge(f, QueuePart::waiting) == 1);

    CHECK(bodies(peek(f)) == Bodies{"1"});
    CHECK(f.run(f.queue->ack(first.receipt)));
    CHECK(seen_depth(f) == QueueDepth{});
}

TEMPLATE_LIST_TEST_CASE("queue desk: a purge takes what was put off, and what nobody works on any more",
                        "[contract][queue_desk]", QueueFixtures) {
    excuse<TestType>(Quirk::shows_what_it_delivers);
    TestType f;
    send(f, {{.body = "1"}, {.body = "2"}});
    const auto deliveries = receive(f);
    REQUIRE(f.run(f.queue->retry_after(deliveries.at(0).receipt, 1h)));
    f.advance(f.visibility);

    CHECK(purge(f, QueuePart::waiting) == 2);
    CHECK(code_of(f.run(f.queue->ack(deliveries.at(1).receipt))) == "CONFLICT");
}

TEMPLATE_LIST_TEST_CASE("queue desk: a group goes on where the purge stopped", "[contract][queue_desk]",
                        QueueFixtures) {
    TestType f;
    send(f, {{.body = "a1", .group = "a"}, {.body = "a2", .group = "a"}, {.body = "a3", .group = "a"}});

    CHECK(purge(f, QueuePart::waiting, 2) == 2);

    CHECK(bodies(receive(f)) == Bodies{"a3"});
}

TEMPLATE_LIST_TEST_CASE("queue desk: dead letters are purged by themselves", "[contract][queue_desk]", QueueFixtures) {
    TestType f;
    send(f, {{.body = "poison"}});
    kill_one(f);
    CHECK(receive(f).empty());
    send(f, {{.body = "good"}});

    CHECK(purge(f, QueuePart::dead) == 1);

    CHECK(seen_depth(f) == QueueDepth{.waiting = 1});
}
