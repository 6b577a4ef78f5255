#include "common/observed_queue.hpp"

#include <catch2/catch_test_macros.hpp>

#include "adapters/memory/memory.hpp"
#include "support/clocks.hpp"
#include "support/run.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

struct ObservedWorld {
    boost::asio::io_context io{1};
    ManualClock clock;
    adapters::Faults faults;
    std::unique_ptr<adapters::MemoryTelemetry> telemetry = adapters::make_memory_telemetry();
    std::unique_ptr<ports::MessageQueue> queue = services::observe(
        adapters::make_memory_queue({}, clock, io.get_executor(), &faults), ports::LineQueue::tasks, *telemetry, clock);

    template <class Event>
    const Event& told() const {
        return std::get<Event>(telemetry->events().back());
    }
};

}  // namespace

TEST_CASE("observed queue: tells how many messages were taken, and how many were not") {
    ObservedWorld w;
    w.faults.add({.call = "message_queue.send_one", .error = {Errc::unavailable, "full"}, .times = 1});

    REQUIRE(run(w.io, w.queue->send({{.body = "1"}, {.body = "2"}, {.body = "3"}})));

    CHECK(w.told<ports::MessagesSent>().queue == ports::LineQueue::tasks);
    CHECK(w.told<ports::MessagesSent>().accepted == 2);
    CHECK(w.told<ports::MessagesSent>().refused == 1);
}

TEST_CASE("observed queue: tells how long the oldest message had waited, and what came again") {
    ObservedWorld w;
    REQUIRE(run(w.io, w.queue->send({{.body = "1"}})));
    w.clock.advance(40s);
    REQUIRE(run(w.io, w.queue->send({{.body = "2"}})));

    REQUIRE(run(w.io, w.queue->receive(10, 0s)));
    CHECK(w.told<ports::MessagesReceived>().count == 2);
    CHECK(w.told<ports::MessagesReceived>().again == 0);
    CHECK(w.told<ports::MessagesReceived>().oldest == 40s);

    w.clock.advance(30s);
    REQUIRE(run(w.io, w.queue->receive(10, 0s)));
    CHECK(w.told<ports::MessagesReceived>().again == 2);
}

TEST_CASE("observed queue: tells how deep it is when somebody looks, and nothing of an empty receive") {
    ObservedWorld w;
    REQUIRE(run(w.io, w.queue->receive(10, 0s)));
    CHECK(w.telemetry->events().empty());

    REQUIRE(run(w.io, w.queue->send({{.body = "1"}})));
    REQUIRE(run(w.io, w.queue->depth()));
    CHECK(w.told<ports::QueueObserved>().waiting == 1);
    CHECK(w.told<ports::QueueObserved>().dead == 0);
}
