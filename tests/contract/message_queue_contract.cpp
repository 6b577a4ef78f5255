#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "contract/fixtures/all.hpp"
#include "coro/sleep.hpp"
#include "coro/timeout.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

using Bodies = std::vector<std::string>;

template <class Fixture>
void send(Fixture& f, std::vector<ports::OutgoingMessage> messages) {
    const auto count = messages.size();
    auto sent = f.run(f.queue->send(std::move(messages)));
    REQUIRE(sent);
    REQUIRE(sent->size() == count);
    for (const auto& one : *sent) REQUIRE(one);
}

template <class Fixture>
std::vector<ports::Delivery> receive(Fixture& f, int limit = 10, Duration wait = {}) {
    auto received = f.run(f.queue->receive(limit, wait));
    REQUIRE(received);
    return *received;
}

template <class Fixture>
ports::Delivery receive_one(Fixture& f) {
    auto received = receive(f, 1);
    REQUIRE(received.size() == 1);
    return received.front();
}

Bodies bodies(const std::vector<ports::Delivery>& deliveries) {
    Bodies bodies;
    for (const auto& delivery : deliveries) bodies.push_back(delivery.body);
    return bodies;
}

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
    CHECK(f.now() == began);
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
    CHECK(bodies(receive(f)) == Bodies{"a1"});
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
    TestType f;
    send(f, {{.body = "1", .deduplication_id = "d"}});
    REQUIRE(f.run(f.queue->ack(receive_one(f).receipt)));

    f.advance(5min - 1ms);
    send(f, {{.body = "2", .deduplication_id = "d"}});
    CHECK(receive(f).empty());

    f.advance(1ms);
    send(f, {{.body = "3", .deduplication_id = "d"}});
    CHECK(bodies(receive(f)) == Bodies{"3"});
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

    const auto waited = f.run(receive_timed(f, 20s));

    CHECK(waited.bodies.empty());
    CHECK(waited.took == 20s);
}

TEMPLATE_LIST_TEST_CASE("queue: a long poll wakes when a message arrives", "[contract][queue]", QueueFixtures) {
    TestType f;
    const ports::OutgoingMessage message{.body = "1"};

    const auto [waited, sent] = f.run_both(receive_timed(f, 20s), send_after(f, 3s, message));

    CHECK(sent);
    CHECK(waited.bodies == Bodies{"1"});
    CHECK(waited.took == 3s);
}

TEMPLATE_LIST_TEST_CASE("queue: a long poll wakes when a visibility timeout ends", "[contract][queue]", QueueFixtures) {
    TestType f;
    send(f, {{.body = "1"}});
    REQUIRE(receive(f).size() == 1);
    f.advance(f.visibility - 4s);

    const auto waited = f.run(receive_timed(f, 20s));

    CHECK(waited.bodies == Bodies{"1"});
    CHECK(waited.took == 4s);
}

TEMPLATE_LIST_TEST_CASE("queue: a long poll wakes when a group is set free", "[contract][queue]", QueueFixtures) {
    TestType f;
    send(f, {{.body = "a1", .group = "a"}, {.body = "a2", .group = "a"}});
    const auto first = receive_one(f);

    SECTION("by an acknowledgement") {
        const auto [waited, acked] = f.run_both(receive_timed(f, 20s), ack_after(f, 2s, first.receipt));
        CHECK(acked);
        CHECK(waited.bodies == Bodies{"a2"});
        CHECK(waited.took == 2s);
    }
    SECTION("by a retry that is due at once") {
        const auto [waited, returned] = f.run_both(receive_timed(f, 20s), give_back_after(f, 2s, first.receipt));
        CHECK(returned);
        CHECK(waited.bodies == Bodies{"a1"});
        CHECK(waited.took == 2s);
    }
}

TEMPLATE_LIST_TEST_CASE("queue: a long poll that is cut takes no message with it", "[contract][queue]", QueueFixtures) {
    TestType f;

    const auto cut = f.run(coro::with_timeout(f.queue->receive(10, 20s), 1s));
    CHECK_FALSE(cut);

    send(f, {{.body = "1"}});
    CHECK(receive_one(f).receive_count == 1);
}
