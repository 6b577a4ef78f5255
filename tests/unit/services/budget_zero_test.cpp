// Two hours without any budget: whoever waits for it takes nothing off the queue, so nothing is received in vain and nothing becomes a
// dead letter; afterwards work goes on.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <map>

#include "adapters/memory/memory.hpp"
#include "common/outside.hpp"
#include "coro/sleep.hpp"
#include "runtime/consumer.hpp"
#include "support/clocks.hpp"
#include "support/run.hpp"
#include "support/told.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

struct BudgetWorld {
    boost::asio::io_context io{1};
    coro::VirtualTime time{io};
    VirtualClock clock{time};
    std::unique_ptr<adapters::MemoryTelemetry> telemetry = adapters::make_memory_telemetry();
    runtime::Health health{clock};
    runtime::Pulse& pulse = health.add("loop", 5min);
    std::unique_ptr<adapters::MemoryQueue> queue =
        adapters::make_memory_queue({.visibility = 30s, .max_receive_count = 3}, clock, io.get_executor());
    std::unique_ptr<adapters::MemoryIdentityPool> pool;
    application::SlotShelf slots;
    std::map<std::string, int> receives;
    std::stop_source stop;
    Ended<void> ended;

    explicit BudgetWorld(adapters::MemoryIdentityPoolConfig config)
        : pool(adapters::make_memory_identity_pool(config, clock)), slots(*pool, clock, 10s) {}

    ports::Slot slot() {
        auto reserved = run(pool->reserve());
        REQUIRE(reserved);
        REQUIRE(std::holds_alternative<ports::Slot>(*reserved));
        return std::get<ports::Slot>(*std::move(reserved));
    }
    void spend(ports::SlotReport report) { REQUIRE(run(pool->report(slot(), std::move(report)))); }
    void send(int count) {
        std::vector<ports::OutgoingMessage> messages;
        for (int i = 0; i < count; ++i)
            messages.push_back({.body = "m" + std::to_string(i), .group = {}, .deduplication_id = {}});
        REQUIRE(run(queue->send(std::move(messages))));
    }
    void work() {
        auto handle = [this](ports::Delivery delivery) { return crawl(std::move(delivery)); };
        const runtime::LoopContext loop{ports::Loop::crawl_queue, *telemetry, clock, pulse};
        const auto admit = services::admit_by_slots(slots, *queue, clock, {});
        start(io, runtime::consume(*queue, handle, admit, {}, loop, stop.get_token()), ended);
    }
    Async<Result<ports::Disposition>> crawl(ports::Delivery delivery) {
        receives[delivery.body] = delivery.receive_count;
        auto taken = slots.take();
        if (!taken) co_return ports::RetryAfter{1s};
        co_await coro::sleep(1s);
        const auto reported = co_await pool->report(*std::move(taken), ports::SlotOutcome::succeeded);
        if (!reported) co_return reported.error();
        co_return ports::Ack{};
    }
    void finish() {
        stop.request_stop();
        time.run([this] { return ended.done; });
        ended.get();
    }
    template <class T>
    T run(Async<T> asked) {
        return test::run(io, time, std::move(asked));
    }
};

// Until two hours later nobody may ask: each identity has been told to wait, or has used up its window.
void use_up(BudgetWorld& w, bool by_throttling) {
    if (by_throttling) {
        for (int i = 0; i < 2; ++i) w.spend({ports::SlotOutcome::throttled, "MINISHOP", 2h});
        return;
    }
    for (int i = 0; i < 6; ++i) {
        w.spend(ports::SlotOutcome::succeeded);
        w.time.advance(1s);
    }
}

}  // namespace

TEST_CASE("budget zero: for two hours nothing is received, nothing dies, and afterwards work goes on") {
    const bool by_throttling = GENERATE(true, false);
    BudgetWorld w({.identities = 2, .limit = 3, .window = 2h, .guard = 10s});
    use_up(w, by_throttling);
    w.send(4);

    w.work();
    w.time.advance(2h - 10s);

    CHECK(w.receives.empty());
    CHECK(w.queue->dead_letters().empty());
    CHECK(told<ports::LoopFailed>(*w.telemetry).empty());

    w.time.advance(30min);

    CHECK(w.receives == std::map<std::string, int>{{"m0", 1}, {"m1", 1}, {"m2", 1}, {"m3", 1}});
    CHECK(w.queue->dead_letters().empty());
    CHECK(told<ports::DeliverySettled>(*w.telemetry).size() == 4);
    w.finish();
}
