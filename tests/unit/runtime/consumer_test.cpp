#include "runtime/consumer.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <stdexcept>
#include <string>

#include "loop_world.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

constexpr runtime::ConsumerConfig config{.max_in_flight = 3, .batch = 10, .wait = 20s, .error_wait = 5s, .drain = 20s};

struct ConsumerWorld : LoopWorld {
    adapters::Faults faults;
    std::unique_ptr<adapters::MemoryQueue> queue =
        adapters::make_memory_queue({.visibility = 30s, .max_receive_count = 3}, clock, io.get_executor(), &faults);
    std::map<std::string, int> handled;
    int in_flight = 0;
    int most_in_flight = 0;
    Ended<void> ended;

    void send(int count) {
        std::vector<ports::OutgoingMessage> messages;
        for (int i = 0; i < count; ++i)
            messages.push_back({.body = "m" + std::to_string(i), .group = {}, .deduplication_id = {}});
        REQUIRE(test::run(io, time, queue->send(std::move(messages))));
    }

    // Handles every delivery in `length` and gives it that disposition.
    runtime::Handle handling(std::chrono::nanoseconds length, Result<ports::Disposition> result) {
        return [this, length, result](ports::Delivery delivery) { return handle(std::move(delivery), length, result); };
    }
    Async<Result<ports::Disposition>> handle(ports::Delivery delivery, std::chrono::nanoseconds length,
                                             Result<ports::Disposition> result) {
        ++in_flight;
        most_in_flight = std::max(most_in_flight, in_flight);
        struct Leave {
            int& count;
            ~Leave() { --count; }
        } leave{in_flight};
        co_await coro::sleep(length);
        ++handled[delivery.body];
        co_return result;
    }

    void consume(runtime::Handle handle, runtime::Admit admit = runtime::admit_all()) {
        start(io, runtime::consume(*queue, std::move(handle), std::move(admit), config, loop(), stop.get_token()),
              ended);
    }

    std::size_t settled(ports::Settled how) const {
        const auto all = events<ports::DeliverySettled>();
        return static_cast<std::size_t>(std::ranges::count(all, how, &ports::DeliverySettled::settled));
    }
};

const Result<ports::Disposition> ack{ports::Disposition{ports::Ack{}}};

Async<Result<ports::Disposition>> throwing(ports::Delivery) {
    throw std::runtime_error("broken handler");
    co_return ports::Ack{};
}

}  // namespace

TEST_CASE("consumer: every message is handled once and acked, never more at once than allowed") {
    ConsumerWorld w;
    w.send(10);

    w.consume(w.handling(1s, ack));
    w.time.advance(1h);

    CHECK(w.handled.size() == 10);
    CHECK(w.settled(ports::Settled::acked) == 10);
    CHECK(w.most_in_flight == 3);
    w.stop_and_finish(w.ended);
}

TEST_CASE("consumer: work that takes longer than the visibility is not delivered to anybody else meanwhile") {
    ConsumerWorld w;
    w.send(1);

    w.consume(w.handling(10min, ack));
    w.time.advance(1h);

    CHECK(w.handled == std::map<std::string, int>{{"m0", 1}});
    CHECK(w.settled(ports::Settled::acked) == 1);
    w.stop_and_finish(w.ended);
}

TEST_CASE("consumer: a message to be retried comes back after its wait and not before") {
    ConsumerWorld w;
    w.send(1);

    w.consume(w.handling(0s, Result<ports::Disposition>(ports::Disposition{ports::RetryAfter{1min}})));
    w.time.advance(59s);
    CHECK(w.handled["m0"] == 1);

    w.time.advance(2s);
    CHECK(w.handled["m0"] == 2);
    CHECK(w.settled(ports::Settled::retried) == 2);
    w.stop_and_finish(w.ended);
}

TEST_CASE("consumer: a handler's error leaves the message to come back, and tells of it") {
    ConsumerWorld w;
    w.send(1);

    w.consume(w.handling(0s, Result<ports::Disposition>(Error{Errc::unavailable, "no database"})));
    w.time.advance(31s);

    CHECK(w.handled["m0"] == 2);
    CHECK(w.events<ports::DeliveryLost>().at(0).error == Error{Errc::unavailable, "no database"});
    w.stop_and_finish(w.ended);
}

TEST_CASE("consumer: an exception out of a handler ends that delivery only; poison ends among the dead letters") {
    ConsumerWorld w;
    w.send(2);

    w.consume(throwing);
    w.time.advance(1h);

    CHECK(w.events<ports::LoopCrashed>().size() == 6);
    CHECK(w.events<ports::LoopCrashed>().at(0).what.find("broken handler") != std::string::npos);
    CHECK(w.settled(ports::Settled::abandoned) == 6);
    CHECK(w.queue->dead_letters().size() == 2);
    CHECK_FALSE(w.ended.done);
    w.stop_and_finish(w.ended);
}

TEST_CASE("consumer: a receive that fails is told and tried again after a pause") {
    ConsumerWorld w;
    w.send(1);
    w.faults.add({.call = "message_queue.receive", .error = {Errc::unavailable, "no queue"}});

    w.consume(w.handling(0s, ack));
    w.time.advance(4s);
    CHECK(w.handled.empty());

    w.time.advance(2s);
    CHECK(w.handled.size() == 1);
    CHECK(w.events<ports::LoopFailed>().size() == 1);
    w.stop_and_finish(w.ended);
}

TEST_CASE("consumer: while nothing is admitted no message is touched, and the pulse goes on") {
    ConsumerWorld w;
    w.send(1);
    bool open = false;
    auto admit = [&open](int wanted) -> Async<Result<runtime::Admission>> {
        if (open) co_return runtime::Admission{.allowed = wanted};
        co_return runtime::Admission{.allowed = 0, .ask_again = 10min};
    };

    w.consume(w.handling(0s, ack), admit);
    w.time.advance(2h);
    CHECK(w.handled.empty());
    CHECK(w.pulse.silence() <= 5s);

    open = true;
    w.time.advance(10min);
    CHECK(w.handled.size() == 1);
    CHECK(w.queue->dead_letters().empty());
    w.stop_and_finish(w.ended);
}

TEST_CASE("consumer: it takes no more messages than were admitted") {
    ConsumerWorld w;
    w.send(3);
    int budget = 2;
    auto admit = [&budget](int wanted) -> Async<Result<runtime::Admission>> {
        const auto allowed = std::min(budget, wanted);
        budget -= allowed;
        co_return runtime::Admission{.allowed = allowed, .ask_again = 1h};
    };

    w.consume(w.handling(0s, ack), admit);
    w.time.advance(1h);

    CHECK(w.handled.size() == 2);
    w.stop_and_finish(w.ended);
}

TEST_CASE("consumer: after a stop nothing new is taken, work in flight finishes and is acked") {
    ConsumerWorld w;
    w.send(5);
    w.consume(w.handling(10s, ack));
    w.time.advance(1s);

    w.stop.request_stop();
    w.time.advance(10s);

    CHECK(w.ended.done);
    CHECK(w.handled.size() == 3);
    CHECK(w.settled(ports::Settled::acked) == 3);
    CHECK(w.events<ports::LoopDrained>().at(0).cut == 0);
}

TEST_CASE("consumer: work that outlives the drain is let go unacked, and comes back") {
    ConsumerWorld w;
    w.send(1);
    w.consume(w.handling(1h, ack));
    w.time.advance(1s);

    w.stop.request_stop();
    w.time.advance(20s);

    CHECK(w.ended.done);
    CHECK(w.in_flight == 0);
    CHECK(w.settled(ports::Settled::abandoned) == 1);
    CHECK(w.events<ports::InFlight>().back().count == 0);
    CHECK(w.events<ports::LoopDrained>().at(0).cut == 1);
    const auto again = test::run(w.io, w.time, w.queue->receive(1, 1min));
    REQUIRE(again);
    CHECK(again->size() == 1);
}

TEST_CASE("consumer: a stop while it waits for messages ends it at once") {
    ConsumerWorld w;
    w.consume(w.handling(0s, ack));
    w.time.advance(1s);

    w.stop.request_stop();
    w.time.advance(0s);

    CHECK(w.ended.done);
}

TEST_CASE("consumer: a heartbeat that fails once is tried again, and the delivery is kept") {
    ConsumerWorld w;
    w.send(1);
    w.faults.add({.call = "message_queue.extend", .error = {Errc::unavailable, "no queue"}});

    w.consume(w.handling(2min, ack));
    w.time.advance(1h);

    CHECK(w.handled["m0"] == 1);
    CHECK(w.settled(ports::Settled::acked) == 1);
    w.stop_and_finish(w.ended);
}

TEST_CASE("consumer: while the queue is empty it asks for admission of one, however large the batch") {
    ConsumerWorld w;
    std::vector<int> asked;
    auto admit = [&asked](int wanted) -> Async<Result<runtime::Admission>> {
        asked.push_back(wanted);
        co_return runtime::Admission{.allowed = wanted};
    };

    w.consume(w.handling(0s, ack), admit);
    w.time.advance(1min);
    CHECK(asked == std::vector{1, 1, 1, 1});

    w.send(5);
    w.time.advance(0s);
    CHECK(w.handled.size() == 5);
    CHECK(asked.at(4) == 2);  // all the room there is beside the first
    w.stop_and_finish(w.ended);
}

TEST_CASE("consumer: the pulse goes on through a pause after a failure that is longer than any silence") {
    ConsumerWorld w;
    w.faults.add({.call = "message_queue.receive", .error = {Errc::unavailable, "no queue"}, .times = 100});
    auto patient = config;
    patient.error_wait = 10min;
    start(w.io,
          runtime::consume(*w.queue, w.handling(0s, ack), runtime::admit_all(), patient, w.loop(), w.stop.get_token()),
          w.ended);

    w.time.advance(9min);

    CHECK(w.pulse.silence() <= 5s);
    w.stop_and_finish(w.ended);
}
