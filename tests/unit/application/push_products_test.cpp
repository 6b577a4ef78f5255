#include "application/push_products.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "adapters/memory/database.hpp"
#include "coro/sleep.hpp"
#include "support/builders.hpp"
#include "support/run.hpp"
#include "support/told.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

struct PushWorld {
    boost::asio::io_context io{1};
    coro::VirtualTime time{io};
    VirtualClock clock{time};
    adapters::Faults faults;
    adapters::MemoryDatabase database{&faults};
    std::unique_ptr<ports::OutboxStore> outbox = adapters::make_memory_product_outbox(database);
    std::unique_ptr<adapters::MemoryTelemetry> telemetry = adapters::make_memory_telemetry();
    Duration latency{};
    std::unique_ptr<adapters::MemoryProductServer> server = adapters::make_memory_product_server({}, &faults);
    application::PushProducts::Settings settings{
        .outbox = {.batch = 100, .lease = 60s}, .settle_batch = 2, .reserve = 10s};

    // Entries o-1, o-2, ... each about a product of its own.
    void put(int count) {
        for (int i = 1; i <= count; ++i)
            database.tables().product_outbox.put(an_entry("o-" + std::to_string(i), std::to_string(i)));
    }
    void answer_slowly(Duration length) { server = adapters::make_memory_product_server(length, &faults); }
    Result<std::size_t> push_once() {
        application::PushProducts push({*outbox, *server, clock, *telemetry}, settings);
        return run(push.run_once());
    }
    template <class T>
    T run(Async<T> work) {
        return test::run(io, time, std::move(work));
    }
    OutboxEntry::State entry(int number) const { return database_entry(OutboxId{"o-" + std::to_string(number)}); }
    OutboxEntry::State database_entry(const OutboxId& id) const {
        return const_cast<adapters::MemoryDatabase&>(database).tables().product_outbox.find(id)->state();
    }
    template <class Event>
    std::vector<Event> events() const {
        return told<Event>(*telemetry);
    }
};

}  // namespace

TEST_CASE("push: all that was claimed is pushed and settled, however many transactions that takes") {
    PushWorld w;
    w.put(5);

    CHECK(*w.push_once() == 5);

    for (int i = 1; i <= 5; ++i) CHECK(w.entry(i).status == OutboxStatus::sent);
    CHECK(w.events<ports::ProductPushed>().size() == 5);
    CHECK(w.server->accepted() == 5);
}

TEST_CASE("push: a push that fails is an outcome of its own, and the others are settled with it") {
    PushWorld w;
    w.put(3);
    w.faults.add({.call = "product_server.push", .error = {Errc::timeout, "no answer"}, .nth = 2});

    CHECK(*w.push_once() == 3);

    CHECK(w.entry(1).status == OutboxStatus::sent);
    CHECK(w.entry(2).status == OutboxStatus::failed);
    CHECK(w.entry(3).status == OutboxStatus::sent);
    REQUIRE(w.events<ports::ProductPushFailed>().size() == 1);
    CHECK_FALSE(w.events<ports::ProductPushFailed>()[0].final);
}

TEST_CASE("push: what the server refuses for good is dead at once, with its words") {
    PushWorld w;
    w.put(1);
    w.faults.add({.call = "product_server.push", .error = {Errc::invalid, "422: name is empty"}});

    REQUIRE(w.push_once());

    CHECK(w.entry(1).status == OutboxStatus::dead);
    CHECK(w.entry(1).error_message == "INVALID: 422: name is empty");
    CHECK(w.events<ports::ProductPushFailed>().at(0).final);
}

TEST_CASE("push: a server that wants to be left alone for a while is, and then is told again") {
    PushWorld w;
    w.put(1);
    w.faults.add({.call = "product_server.push", .error = {Errc::rate_limited, "429", 5min}});

    REQUIRE(w.push_once());

    CHECK(w.entry(1).status == OutboxStatus::failed);
    CHECK(w.entry(1).due_at == t0 + 5min);
    w.time.advance(5min - 1us);
    CHECK(*w.push_once() == 0);
    w.time.advance(1us);
    CHECK(*w.push_once() == 1);
    CHECK(w.entry(1).status == OutboxStatus::sent);
}

TEST_CASE("push: what was settled before a settling failed stays settled, and the rest is told again under its key") {
    PushWorld w;
    w.put(4);
    w.faults.add({.call = "outbox_store.settle", .error = {Errc::unavailable, "no database"}, .nth = 2});

    CHECK_FALSE(w.push_once());

    CHECK(w.entry(2).status == OutboxStatus::sent);
    CHECK(w.entry(3).status == OutboxStatus::processing);
    CHECK(w.events<ports::ProductPushed>().size() == 2);
    w.time.advance(60s);
    CHECK(*w.push_once() == 2);
    CHECK(w.entry(4).status == OutboxStatus::sent);
    CHECK(w.server->accepted() == 4);
    CHECK(w.server->pushes("key-o-4") == 2);
}

TEST_CASE("push: no push begins when the lease is nearly over; what is left comes back at once") {
    PushWorld w;
    w.answer_slowly(20s);
    w.put(5);

    CHECK(*w.push_once() == 5);

    CHECK(w.server->accepted() == 3);  // at 0, 20 and 40 seconds
    CHECK(w.entry(3).status == OutboxStatus::sent);
    CHECK(w.entry(4).status == OutboxStatus::pending);
    CHECK(w.events<ports::ClaimsLost>().empty());
    CHECK(*w.push_once() == 2);
    CHECK(w.server->accepted() == 5);
}

TEST_CASE("push: an entry that another has claimed meanwhile is counted as lost") {
    PushWorld w;
    w.settings.outbox.lease = 30s;
    w.answer_slowly(40s);
    w.put(1);
    application::PushProducts push({*w.outbox, *w.server, w.clock, *w.telemetry}, w.settings);
    auto late = [&]() -> Async<Result<std::vector<OutboxEntry>>> {
        co_await coro::sleep(35s);
        co_return co_await w.outbox->claim(1, w.clock.now(), 60s);
    };

    const auto [pushed, claimed] = run_both(w.io, w.time, push.run_once(), late());

    CHECK(*pushed == 1);
    CHECK(claimed->size() == 1);
    REQUIRE(w.events<ports::ClaimsLost>().size() == 1);
    CHECK(w.events<ports::ClaimsLost>()[0].count == 1);
}

TEST_CASE("push: loops side by side never push one product at the same time, and keep its order") {
    PushWorld w;
    w.settings.outbox.batch = 2;
    w.answer_slowly(1s);
    for (int i = 1; i <= 6; ++i)
        w.database.tables().product_outbox.put(an_entry("o-" + std::to_string(i), i % 2 ? "odd" : "even"));
    application::PushProducts a({*w.outbox, *w.server, w.clock, *w.telemetry}, w.settings);
    application::PushProducts b({*w.outbox, *w.server, w.clock, *w.telemetry}, w.settings);
    const auto loop = [&](application::PushProducts& push) -> Async<> {
        while (w.events<ports::ProductPushed>().size() < 6) {
            const auto pushed = co_await push.run_once();
            if (!pushed || *pushed == 0) co_await coro::sleep(500ms);
        }
    };
    Ended<void> ended_a, ended_b;
    start(w.io, loop(a), ended_a);
    start(w.io, loop(b), ended_b);
    w.time.run([&] { return ended_a.done && ended_b.done; });

    std::vector<std::string> odd, even;
    for (const auto& event : w.events<ports::ProductPushed>())
        (event.item == "odd" ? odd : even).push_back(event.entry.value);
    CHECK(odd == std::vector<std::string>{"o-1", "o-3", "o-5"});
    CHECK(even == std::vector<std::string>{"o-2", "o-4", "o-6"});
    CHECK(w.events<ports::ClaimsLost>().empty());
}

TEST_CASE(
    "push: while the server is down, only those that found it out spend a retry, and all others go at once when it is "
    "back") {
    PushWorld w;
    w.put(50);
    w.faults.add({.call = "product_server.push", .error = {Errc::unavailable, "refused"}, .times = 3});

    CHECK(code_of(w.push_once()) == "UNAVAILABLE");

    CHECK(w.server->accepted() == 0);
    int retries = 0;
    for (int i = 1; i <= 50; ++i) retries += w.entry(i).retry_count;
    CHECK(retries == 3);
    CHECK(*w.push_once() == 47);
    CHECK(w.server->accepted() == 47);
}

TEST_CASE("push: one event that the server never takes in holds up no other") {
    PushWorld w;
    w.put(50);
    w.faults.add({.call = "product_server.push", .error = {Errc::unavailable, "500"}, .nth = 2});
    w.faults.add({.call = "product_server.push", .error = {Errc::unavailable, "500"}, .nth = 4});

    CHECK(*w.push_once() == 50);

    CHECK(w.server->accepted() == 48);
}
