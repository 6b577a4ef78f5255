#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "contract/queue_steps.hpp"
#include "coro/sleep.hpp"
#include "coro/timeout.hpp"
#include "queue_players.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

// What a receive came to, and how long it took.
struct Waited {
    Bodies bodies;
    Duration took{};
};

template <class Fixture>
Async<Waited> receive_timed(Fixture& f, Duration wait) {
    const auto began = f.now();
    auto received = co_await f.queue->receive(10, wait);
    co_return Waited{bodies(*received), f.now() - began};
}

template <class Fixture>
Async<bool> send_after(Fixture& f, Duration wait, ports::OutgoingMessage message) {
    co_await coro::sleep(wait);
    std::vector<ports::OutgoingMessage> messages;
    messages.push_back(std::move(message));
    const auto sent = co_await f.queue->send(std::move(messages));
    co_return static_cast<bool>(sent);
}

template <class Fixture>
Async<Result<>> ack_after(Fixture& f, Duration wait, std::string receipt) {
    co_await coro::sleep(wait);
    co_return co_await f.queue->ack(std::move(receipt));
}

template <class Fixture>
Async<Result<>> give_back_after(Fixture& f, Duration wait, std::string receipt) {
    co_await coro::sleep(wait);
    co_return co_await f.queue->retry_after(std::move(receipt), Duration{});
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("queue: a message arrives as it was sent", "[contract][queue]", QueueFixtures) {
    TestType f;
    send(f, {{.body = R"({"taskId":"t-1","name":"가방 👜"})"}});

    const auto delivery = receive_one(f);

    CHECK(delivery.body == R"({"taskId":"t-1","name":"가방 👜"})");
    CHECK_FALSE(delivery.message_id.empty());
    CHECK_FALSE(delivery.receipt.empty());
    CHECK(delivery.receive_count == 1);
}

TEMPLATE_LIST_TEST_CASE("queue: an empty queue gives an empty list, at once if nobody wants to wait",
                        "[contract][queue]", QueueFixtures) {
    TestType f;
    const auto began = f.now();
    CHECK(receive(f).empty());
    CHECK(lasted<TestType>(f.now() - began, 0s));
}

TEMPLATE_LIST_TEST_CASE("queue: sending nothing is no error", "[contract][queue]", QueueFixtures) {
    TestType f;
    send(f, {});
    CHECK(receive(f).empty());
}

TEMPLATE_LIST_TEST_CASE("queue: one receive gives up to its limit", "[contract][queue]", QueueFixtures) {
    TestType f;
    send(f, {{.body = "1"}, {.body = "2"}, {.body = "3"}});

    CHECK(receive(f, 2).size() == 2);
    CHECK(receive(f, 2).size() == 1);
}

TEMPLATE_LIST_TEST_CASE("queue: a received message is invisible until its visibility timeout is over",
                        "[contract][queue]", QueueFixtures) {
    TestType f;
    send(f, {{.body = "1"}});
    const auto first = receive_one(f);

    f.advance(f.visibility - 1ms);
    CHECK(receive(f).empty());
    f.advance(1ms);

    const auto second = receive_one(f);
    CHECK(second.message_id == first.message_id);
    CHECK(second.receipt != first.receipt);
    CHECK(second.receive_count == 2);
}

TEMPLATE_LIST_TEST_CASE("queue: two receivers never share a message and leave none", "[contract][queue]",
                        QueueFixtures) {
    TestType f;
    std::vector<ports::OutgoingMessage> messages;
    for (int i = 10; i < 20; ++i) messages.push_back({.body = std::to_string(i)});
    send(f, messages);

    auto [one, two] = f.run_both(f.queue->receive(5, {}), f.queue->receive(5, {}));

    REQUIRE(one);
    REQUIRE(two);
    auto all = bodies(*one);
    std::ranges::copy(bodies(*two), std::back_inserter(all));
    std::ranges::sort(all);
    CHECK(all == Bodies{"10", "11", "12", "13", "14", "15", "16", "17", "18", "19"});
}

TEMPLATE_LIST_TEST_CASE("queue: an acknowledged message is gone", "[contract][queue]", QueueFixtures) {
    TestType f;
    send(f, {{.body = "1"}});

    CHECK(f.run(f.queue->ack(receive_one(f).receipt)));
    f.advance(f.visibility);
    CHECK(receive(f).empty());
}

TEMPLATE_LIST_TEST_CASE("queue: retry_after brings the message back after that wait", "[contract][queue]",
                        QueueFixtures) {
    TestType f;
    send(f, {{.body = "1"}});
    const Duration wait = GENERATE(Duration{0}, Duration{5s}, Duration{2min});

    REQUIRE(f.run(f.queue->retry_after(receive_one(f).receipt, wait)));

    if (wait > Duration{0}) {
        f.advance(wait - 1ms);
        CHECK(receive(f).empty());
        f.advance(1ms);
    }
    CHECK(receive_one(f).receive_count == 2);
}

TEMPLATE_LIST_TEST_CASE("queue: extend keeps the message invisible, counted from now", "[contract][queue]",
                        QueueFixtures) {
    TestType f;
    send(f, {{.body = "1"}});
    const auto delivery = receive_one(f);
    f.advance(20s);

    REQUIRE(f.run(f.queue->extend(delivery.receipt, 60s)));

    f.advance(60s - 1ms);
    CHECK(receive(f).empty());
    CHECK(f.run(f.queue->ack(delivery.receipt)));
    f.advance(1ms);
    CHECK(receive(f).empty());
}

TEMPLATE_LIST_TEST_CASE("queue: the receipt of a delivery that went to somebody else is a conflict and changes nothing",
                        "[contract][queue]", QueueFixtures) {
    TestType f;
    send(f, {{.body = "1"}});
    const auto late = receive_one(f);
    f.advance(f.visibility);
    const auto current = receive_one(f);

    CHECK(code_of(f.run(f.queue->ack(late.receipt))) == "CONFLICT");
    CHECK(code_of(f.run(f.queue->retry_after(late.receipt, Duration{0}))) == "CONFLICT");
    CHECK(code_of(f.run(f.queue->extend(late.receipt, 1h))) == "CONFLICT");

    CHECK(receive(f).empty());
    f.advance(f.visibility - 1ms);
    CHECK(f.run(f.queue->ack(current.receipt)));
}

TEMPLATE_LIST_TEST_CASE("queue: the receipt of a message that is gone is a conflict", "[contract][queue]",
                        QueueFixtures) {
    TestType f;
    send(f, {{.body = "1"}});
    const auto delivery = receive_one(f);
    REQUIRE(f.run(f.queue->ack(delivery.receipt)));

    CHECK(code_of(f.run(f.queue->ack(delivery.receipt))) == "CONFLICT");
    CHECK(code_of(f.run(f.queue->retry_after(delivery.receipt, 1s))) == "CONFLICT");
    CHECK(code_of(f.run(f.queue->extend(delivery.receipt, 1s))) == "CONFLICT");
}

TEMPLATE_LIST_TEST_CASE("queue: messages of a group come in order, one in flight at a time", "[contract][queue]",
                        QueueFixtures) {
    excuse<TestType>(Quirk::several_of_a_group);
    TestType f;
    send(f, {{.body = "a1", .group = "a"}, {.body = "a2", .group = "a"}, {.body = "b1", .group = "b"}});

    const auto first = receive(f);
    CHECK(bodies(first) == Bodies{"a1", "b1"});
    CHECK(receive(f).empty());

    REQUIRE(f.run(f.queue->ack(first.at(0).receipt)));
    CHECK(bodies(receive(f)) == Bodies{"a2"});
}

TEMPLATE_LIST_TEST_CASE("queue: a message of a group that waits for its retry holds the next ones back",
                        "[contract][queue]", QueueFixtures) {
    TestType f;
    send(f, {{.body = "a1", .group = "a"}, {.body = "a2", .group = "a"}});
    REQUIRE(f.run(f.queue->retry_after(receive_one(f).receipt, 10s)));

    CHECK(receive(f).empty());
    f.advance(10s);
    CHECK(receive_one(f).body == "a1");
}

TEMPLATE_LIST_TEST_CASE("queue: messages without a group do not wait for each other", "[contract][queue]",
                        QueueFixtures) {
    TestType f;
    send(f, {{.body = "1"}, {.body = "2"}});

    CHECK(receive(f).size() == 2);
}

TEMPLATE_LIST_TEST_CASE("queue: a second send of one deduplication id is accepted and dropped", "[contract][queue]",
                        QueueFixtures) {
    TestType f;
    send(f, {{.body = "1", .deduplication_id = "d"}});
    send(f, {{.body = "1 again", .deduplication_id = "d"}, {.body = "2", .deduplication_id = "e"}});

    auto received = bodies(receive(f));
    std::ranges::sort(received);
    CHECK(received == Bodies{"1", "2"});
}

TEMPLATE_LIST_TEST_CASE("queue: deduplication holds for five minutes, also after the message was acknowledged",
                        "[contract][queue]", QueueFixtures) {
    excuse<TestType>(Quirk::early_to_forget_ids);
    TestType f;
    send(f, {{.body = "1", .deduplication_id = "d"}});
    REQUIRE(f.run(f.queue->ack(receive_one(f).receipt)));

    f.advance(5min - 1ms);
    send(f, {{.body = "2", .deduplication_id = "d"}});
    CHECK(receive(f).empty());

    f.advance(1ms);
    send(f, {{.body = "3", .deduplication_id = "d"}});
    if (!excused<TestType>(Quirk::late_to_forget_ids)) CHECK(bodies(receive(f)) == Bodies{"3"});
}

TEMPLATE_LIST_TEST_CASE("queue: without a deduplication id nothing is dropped", "[contract][queue]", QueueFixtures) {
    TestType f;
    send(f, {{.body = "same"}, {.body = "same"}});

    CHECK(receive(f).size() == 2);
}

TEMPLATE_LIST_TEST_CASE("queue: a message that was received too often becomes a dead letter", "[contract][queue]",
                        QueueFixtures) {
    TestType f;
    send(f, {{.body = "poison"}});
    for (int i = 1; i <= f.max_receive_count; ++i) {
        CHECK(receive_one(f).receive_count == i);
        CHECK(f.dead_letters().empty());
        f.advance(f.visibility);
    }

    CHECK(receive(f).empty());
    CHECK(f.dead_letters() == Bodies{"poison"});
    f.advance(f.visibility);
    CHECK(receive(f).empty());
}

TEMPLATE_LIST_TEST_CASE("queue: a dead letter sets its group free", "[contract][queue]", QueueFixtures) {
    TestType f;
    send(f, {{.body = "poison", .group = "a"}, {.body = "next", .group = "a"}});
    for (int i = 0; i < f.max_receive_count; ++i) {
        REQUIRE(f.run(f.queue->retry_after(receive_one(f).receipt, Duration{0})));
    }

    CHECK(bodies(receive(f)) == Bodies{"next"});
}

TEMPLATE_LIST_TEST_CASE("queue: a long poll gives up after its wait", "[contract][queue]", QueueFixtures) {
    TestType f;
    f.let_time_run();

    const auto waited = f.run(receive_timed(f, f.a_wait));

    CHECK(waited.bodies.empty());
    CHECK(lasted<TestType>(waited.took, f.a_wait));
}

TEMPLATE_LIST_TEST_CASE("queue: a long poll wakes when a message arrives", "[contract][queue]", QueueFixtures) {
    TestType f;
    f.let_time_run();
    const ports::OutgoingMessage message{.body = "1"};

    const auto [waited, sent] = f.run_both(receive_timed(f, 20s), send_after(f, f.a_wait, message));

    CHECK(sent);
    CHECK(waited.bodies == Bodies{"1"});
    CHECK(lasted<TestType>(waited.took, f.a_wait));
}

TEMPLATE_LIST_TEST_CASE("queue: a long poll wakes when a visibility timeout ends", "[contract][queue]", QueueFixtures) {
    TestType f;
    send(f, {{.body = "1"}});
    REQUIRE(receive(f).size() == 1);
    f.advance(f.visibility - f.a_wait);
    f.let_time_run();

    const auto waited = f.run(receive_timed(f, 20s));

    CHECK(waited.bodies == Bodies{"1"});
    CHECK(lasted<TestType>(waited.took, f.a_wait));
}

TEMPLATE_LIST_TEST_CASE("queue: a long poll wakes when a group is set free", "[contract][queue]", QueueFixtures) {
    excuse<TestType>(Quirk::sleeps_while_group_frees);
    TestType f;
    send(f, {{.body = "a1", .group = "a"}, {.body = "a2", .group = "a"}});
    const auto first = receive_one(f);
    f.let_time_run();

    SECTION("by an acknowledgement") {
        const auto [waited, acked] = f.run_both(receive_timed(f, 20s), ack_after(f, f.a_wait, first.receipt));
        CHECK(acked);
        CHECK(waited.bodies == Bodies{"a2"});
        CHECK(lasted<TestType>(waited.took, f.a_wait));
    }
    SECTION("by a retry that is due at once") {
        const auto [waited, returned] = f.run_both(receive_timed(f, 20s), give_back_after(f, f.a_wait, first.receipt));
        CHECK(returned);
        CHECK(waited.bodies == (has<TestType>(Quirk::several_of_a_group) ? Bodies{"a1", "a2"} : Bodies{"a1"}));
        CHECK(lasted<TestType>(waited.took, f.a_wait));
    }
}

TEMPLATE_LIST_TEST_CASE("queue: a long poll that is cut takes no message with it", "[contract][queue]", QueueFixtures) {
    excuse<TestType>(Quirk::answers_who_has_left);
    TestType f;
    f.let_time_run();

    const auto cut = f.run(coro::with_timeout(f.queue->receive(10, 20s), 1s));
    CHECK_FALSE(cut);

    send(f, {{.body = "1"}});
    CHECK(receive_one(f).receive_count == 1);
}

TEMPLATE_LIST_TEST_CASE("queue: its depth says what waits, what is invisible and what is dead", "[contract][queue]",
                        QueueFixtures) {
    excuse<TestType>(Quirk::several_of_a_group);
    TestType f;
    CHECK(depth(f) == ports::QueueDepth{});

    send(f, {{.body = "a1", .group = "a"}, {.body = "a2", .group = "a"}, {.body = "1"}});
    CHECK(depth(f) == ports::QueueDepth{.waiting = 3});

    const auto first = receive(f);  // a1 and 1; a2 waits for its turn
    CHECK(depth(f) == ports::QueueDepth{.waiting = 1, .in_flight = 2});
    REQUIRE(f.run(f.queue->retry_after(first.at(0).receipt, 10s)));
    CHECK(depth(f) == ports::QueueDepth{.waiting = 1, .in_flight = 2});
    REQUIRE(f.run(f.queue->ack(first.at(1).receipt)));
    f.advance(10s);
    CHECK(depth(f) == ports::QueueDepth{.waiting = 2});

    REQUIRE(f.run(f.queue->retry_after(receive_one(f).receipt, Duration{0})));
    REQUIRE(f.run(f.queue->retry_after(receive_one(f).receipt, Duration{0})));
    CHECK(bodies(receive(f)) == Bodies{"a2"});
    CHECK(depth(f) == ports::QueueDepth{.in_flight = 1, .dead = 1});
}

TEMPLATE_LIST_TEST_CASE("queue: a group or a deduplication id that is too long is invalid, and only its message",
                        "[contract][queue]", QueueFixtures) {
    TestType f;
    const std::string longest(128, 'x');
    const auto sent = f.run(f.queue->send({{.body = "1", .group = longest + "x"},
                                           {.body = "2", .deduplication_id = longest + "x"},
                                           {.body = "3", .group = longest, .deduplication_id = longest}}));

    REQUIRE(sent);
    REQUIRE(sent->size() == 3);
    CHECK(code_of(sent->at(0)) == "INVALID");
    CHECK(code_of(sent->at(1)) == "INVALID");
    CHECK(sent->at(2));
    const auto received = receive(f);
    CHECK(bodies(received) == Bodies{"3"});
    CHECK(f.run(f.queue->ack(received.front().receipt)));
}

TEMPLATE_LIST_TEST_CASE("queue: of two messages with one deduplication id in one send the first is kept",
                        "[contract][queue]", QueueFixtures) {
    TestType f;
    send(f, {{.body = "1", .deduplication_id = "d"}, {.body = "2", .deduplication_id = "d"}});

    CHECK(bodies(receive(f)) == Bodies{"1"});
}

TEMPLATE_LIST_TEST_CASE("queue: a dropped message does not make its deduplication id last longer", "[contract][queue]",
                        QueueFixtures) {
    TestType f;
    send(f, {{.body = "1", .deduplication_id = "d"}});
    f.advance(4min);
    send(f, {{.body = "2", .deduplication_id = "d"}});
    f.advance(1min);
    send(f, {{.body = "3", .deduplication_id = "d"}});

    if (!excused<TestType>(Quirk::late_to_forget_ids)) CHECK(bodies(receive(f)) == Bodies{"1", "3"});
}

TEMPLATE_LIST_TEST_CASE("queue: of two senders of one deduplication id at once one is dropped", "[contract][queue]",
                        QueueFixtures) {
    TestType f;
    const std::vector<ports::OutgoingMessage> message{{.body = "1", .group = "a", .deduplication_id = "d"}};

    auto [one, two] = f.run_both(f.queue->send(message), f.queue->send(message));

    REQUIRE(one);
    REQUIRE(two);
    CHECK(receive(f).size() == 1);
    CHECK(depth(f) == ports::QueueDepth{.in_flight = 1});
}

TEMPLATE_LIST_TEST_CASE("queue: of two senders who begin one group at once one comes first", "[contract][queue]",
                        QueueFixtures) {
    excuse<TestType>(Quirk::several_of_a_group);
    TestType f;

    auto [one, two] = f.run_both(f.queue->send({{.body = "1", .group = "a"}, {.body = "2", .group = "b"}}),
                                 f.queue->send({{.body = "1", .group = "b"}, {.body = "2", .group = "a"}}));

    REQUIRE(one);
    REQUIRE(two);
    const auto first = receive(f);
    CHECK(first.size() == 2);
    CHECK(receive(f).empty());
    for (const auto& delivery : first) REQUIRE(f.run(f.queue->ack(delivery.receipt)));
    CHECK(receive(f).size() == 2);
}

TEMPLATE_LIST_TEST_CASE("queue: receives are counted through retries and timeouts", "[contract][queue]",
                        QueueFixtures) {
    TestType f;
    send(f, {{.body = "1"}});

    REQUIRE(f.run(f.queue->retry_after(receive_one(f).receipt, 5s)));
    f.advance(5s);
    CHECK(receive_one(f).receive_count == 2);
    f.advance(f.visibility);
    CHECK(receive_one(f).receive_count == 3);
}

TEMPLATE_LIST_TEST_CASE("queue: a group keeps its order through retries and timeouts", "[contract][queue]",
                        QueueFixtures) {
    excuse<TestType>(Quirk::order_lost_by_a_retry);
    TestType f;
    send(f, {{.body = "a1", .group = "a"}, {.body = "a2", .group = "a"}, {.body = "a3", .group = "a"}});

    REQUIRE(f.run(f.queue->retry_after(receive_one(f).receipt, 5s)));
    send(f, {{.body = "a4", .group = "a"}});
    CHECK(receive(f).empty());
    f.advance(5s);
    CHECK(receive_one(f).body == "a1");
    f.advance(f.visibility);

    Bodies order;
    for (int i = 0; i < 4; ++i) {
        const auto delivery = receive_one(f);
        order.push_back(delivery.body);
        CHECK(receive(f).empty());
        REQUIRE(f.run(f.queue->ack(delivery.receipt)));
    }
    CHECK(order == Bodies{"a1", "a2", "a3", "a4"});
}

TEMPLATE_LIST_TEST_CASE("queue: a group that waits for a retry holds up no other", "[contract][queue]", QueueFixtures) {
    TestType f;
    send(f, {{.body = "a1", .group = "a"}, {.body = "a2", .group = "a"}});
    REQUIRE(f.run(f.queue->retry_after(receive_one(f).receipt, 1h)));

    send(f, {{.body = "b1", .group = "b"}, {.body = "1"}});
    auto received = bodies(receive(f));
    std::ranges::sort(received);  // between groups there is no order
    CHECK(received == Bodies{"1", "b1"});
}

TEMPLATE_LIST_TEST_CASE("queue: a group whose messages are all done may begin anew", "[contract][queue]",
                        QueueFixtures) {
    TestType f;
    for (const std::string body : {"1", "2", "3"}) {
        send(f, {{.body = body, .group = "a"}});
        const auto delivery = receive_one(f);
        CHECK(delivery.body == body);
        REQUIRE(f.run(f.queue->ack(delivery.receipt)));
    }
}

TEMPLATE_LIST_TEST_CASE("queue: after retry_after the receipt is spent, though the message is still invisible",
                        "[contract][queue]", QueueFixtures) {
    TestType f;
    send(f, {{.body = "1"}});
    const auto delivery = receive_one(f);
    REQUIRE(f.run(f.queue->retry_after(delivery.receipt, 10s)));

    CHECK(code_of(f.run(f.queue->ack(delivery.receipt))) == "CONFLICT");
    CHECK(code_of(f.run(f.queue->extend(delivery.receipt, 1h))) == "CONFLICT");
    CHECK(code_of(f.run(f.queue->retry_after(delivery.receipt, 1h))) == "CONFLICT");
    f.advance(10s);
    CHECK(receive(f).size() == 1);
}

TEMPLATE_LIST_TEST_CASE("queue: what is no receipt is a conflict", "[contract][queue]", QueueFixtures) {
    TestType f;
    send(f, {{.body = "1"}});
    const auto receipt = receive_one(f).receipt;

    for (const std::string& none : {std::string(), std::string("nonsense"), std::string("1"), std::string("1-"),
                                    std::string("x-1-a"), "9" + receipt})
        CHECK(code_of(f.run(f.queue->ack(none))) == "CONFLICT");
    CHECK(f.run(f.queue->ack(receipt)));
}

TEMPLATE_LIST_TEST_CASE("queue: extend may also shorten, and counts from now", "[contract][queue]", QueueFixtures) {
    TestType f;
    send(f, {{.body = "1"}});
    const auto delivery = receive_one(f);

    REQUIRE(f.run(f.queue->extend(delivery.receipt, 5s)));

    f.advance(5s - 1ms);
    CHECK(receive(f).empty());
    f.advance(1ms);
    CHECK(receive(f).size() == 1);
}

TEMPLATE_LIST_TEST_CASE("queue: acknowledgements that come at once each have their own outcome", "[contract][queue]",
                        QueueFixtures) {
    excuse<TestType>(Quirk::several_of_a_group);
    TestType f;
    send(f, {{.body = "a1", .group = "a"}, {.body = "a2", .group = "a"}, {.body = "1"}});
    const auto first = receive(f);
    REQUIRE(first.size() == 2);

    const auto [good, spent] = f.run_both(f.queue->ack(first.at(0).receipt), f.queue->ack(first.at(0).receipt));
    CHECK(static_cast<int>(static_cast<bool>(good)) + static_cast<int>(static_cast<bool>(spent)) == 1);

    const auto next = receive_one(f);
    const auto [one, two] = f.run_both(f.queue->ack(first.at(1).receipt), f.queue->ack(next.receipt));
    CHECK(one);
    CHECK(two);
    CHECK(depth(f) == ports::QueueDepth{});
}

TEMPLATE_LIST_TEST_CASE("queue: an acknowledgement that is cut holds up no other", "[contract][queue]", QueueFixtures) {
    TestType f;
    send(f, {{.body = "1"}, {.body = "2"}});
    const auto received = receive(f);
    REQUIRE(received.size() == 2);

    (void)f.run_both(coro::with_timeout(f.queue->ack(received.at(0).receipt), 0s),
                     coro::with_timeout(f.queue->ack(received.at(1).receipt), 0s));
    f.advance(f.visibility);
    for (const auto& again : receive(f)) CHECK(f.run(f.queue->ack(again.receipt)));

    CHECK(depth(f) == ports::QueueDepth{});
}
