#include "adapters/memory/memory.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/builders.hpp"
#include "support/run.hpp"

using namespace crawler;
using namespace crawler::adapters;
using namespace crawler::test;

namespace {

const Error down{Errc::unavailable, "down"};

}  // namespace

TEST_CASE("faults: the named call fails the nth time, so often, and then works again") {
    Faults faults;
    faults.add({.call = "seller_store.find", .error = down, .nth = 2, .times = 2});
    MemoryDatabase database(&faults);
    const auto sellers = make_memory_seller_store(database);
    REQUIRE(run(sellers->add({a_seller(), a_schedule().of("shop-1")}, an_entry())));

    CHECK(run(sellers->find(seller_id())));
    CHECK(code_of(run(sellers->find(seller_id()))) == "UNAVAILABLE");
    CHECK(code_of(run(sellers->find(seller_id()))) == "UNAVAILABLE");
    CHECK(run(sellers->find(seller_id())));
}

TEST_CASE("faults: a call that fails did not happen") {
    Faults faults;
    faults.add({.call = "seller_store.add", .error = down});
    MemoryDatabase database(&faults);
    const auto sellers = make_memory_seller_store(database);

    CHECK(code_of(run(sellers->add({a_seller(), a_schedule().of("shop-1")}, an_entry()))) == "UNAVAILABLE");
    CHECK(code_of(run(sellers->find(seller_id()))) == "NOT_FOUND");
}

TEST_CASE("faults: a call whose answer is lost did happen") {
    Faults faults;
    faults.add({.call = "seller_store.add", .error = {Errc::timeout, "late"}, .answer_lost = true});
    MemoryDatabase database(&faults);
    const auto sellers = make_memory_seller_store(database);

    CHECK(code_of(run(sellers->add({a_seller(), a_schedule().of("shop-1")}, an_entry()))) == "TIMEOUT");
    CHECK(run(sellers->find(seller_id())));
}

TEST_CASE("faults: faults of one call strike one after the other") {
    Faults faults;
    faults.add({.call = "x", .error = {Errc::timeout, "first"}});
    faults.add({.call = "x", .error = {Errc::blocked, "second"}});

    CHECK(faults.strike("x")->error.detail == "first");
    CHECK_FALSE(faults.strike("y"));
    CHECK(faults.strike("x")->error.detail == "second");
    CHECK_FALSE(faults.strike("x"));
}

TEST_CASE("memory queue: a single message of a send can be refused") {
    boost::asio::io_context io{1};
    coro::VirtualTime time(io);
    const VirtualClock clock(time);
    Faults faults;
    faults.add({.call = "message_queue.send_one", .error = down, .nth = 2});
    const auto queue = make_memory_queue({}, clock, io.get_executor(), &faults);

    const auto sent = run(io, time, queue->send({{.body = "1"}, {.body = "2"}, {.body = "3"}}));

    REQUIRE(sent);
    CHECK(sent->at(0));
    CHECK(code_of(sent->at(1)) == "UNAVAILABLE");
    CHECK(sent->at(2));
    CHECK(run(io, time, queue->receive(10, {}))->size() == 2);
}

TEST_CASE("memory queue: a receive whose answer is lost delays the messages by one visibility timeout") {
    boost::asio::io_context io{1};
    coro::VirtualTime time(io);
    const VirtualClock clock(time);
    Faults faults;
    faults.add({.call = "message_queue.receive", .error = down, .answer_lost = true});
    const auto queue = make_memory_queue({}, clock, io.get_executor(), &faults);
    REQUIRE(run(io, time, queue->send({{.body = "1"}})));

    CHECK(code_of(run(io, time, queue->receive(10, {}))) == "UNAVAILABLE");

    const auto again = run(io, time, queue->receive(10, 60s));
    REQUIRE(again->size() == 1);
    CHECK(again->front().receive_count == 2);
    CHECK(time.elapsed() == 30s);
}

TEST_CASE("memory queue: a dead letter keeps its body, id and count") {
    boost::asio::io_context io{1};
    coro::VirtualTime time(io);
    const VirtualClock clock(time);
    const auto queue = make_memory_queue({.max_receive_count = 1}, clock, io.get_executor());
    REQUIRE(run(io, time, queue->send({{.body = "poison"}})));
    const auto delivery = run(io, time, queue->receive(1, {}))->front();
    REQUIRE(run(io, time, queue->retry_after(delivery.receipt, Duration{0})));

    CHECK(run(io, time, queue->receive(1, {}))->empty());

    REQUIRE(queue->dead_letters().size() == 1);
    CHECK(queue->dead_letters()[0].body == "poison");
    CHECK(queue->dead_letters()[0].message_id == delivery.message_id);
    CHECK(queue->dead_letters()[0].receive_count == 1);
}

TEST_CASE("memory marketplace and product server: an answer takes its latency") {
    boost::asio::io_context io{1};
    coro::VirtualTime time(io);
    const Catalogue catalogue{{"shop-1", {{.no = 1, .name = "Bag", .price = 10}}}};
    const auto marketplace = make_memory_marketplace(catalogue, 3s);
    const auto server = make_memory_product_server(4s);

    CHECK(run(io, time, marketplace->count_items(seller_id(), ports::Slot{})));
    CHECK(time.elapsed() == 3s);
    CHECK(run(io, time, server->push(an_entry("o-1", "1"))));
    CHECK(time.elapsed() == 7s);
}

TEST_CASE("memory product server: it counts how often a key came") {
    const auto server = make_memory_product_server();
    REQUIRE(run(server->push(an_entry("o-1", "1"))));
    REQUIRE(run(server->push(an_entry("o-1", "1"))));

    CHECK(server->pushes("key-o-1") == 2);
    CHECK(server->pushes("key-o-2") == 0);
    CHECK(server->accepted() == 1);
}

TEST_CASE("memory telemetry: it keeps the events in order") {
    const auto telemetry = make_memory_telemetry();
    telemetry->emit(ports::ServiceStopping{"SIGTERM"});
    telemetry->emit(ports::TaskFailed{.task = TaskId{"t-1"}, .error = down});

    REQUIRE(telemetry->events().size() == 2);
    CHECK(std::get<ports::ServiceStopping>(telemetry->events()[0]).reason == "SIGTERM");
    CHECK(std::get<ports::TaskFailed>(telemetry->events()[1]).error == down);
}

TEST_CASE("memory ids: they count") {
    const auto ids = make_counting_ids("t-");

    CHECK(ids->make<TaskId>() == TaskId{"t-000001"});
    CHECK(ids->make<TaskId>() == TaskId{"t-000002"});
}
