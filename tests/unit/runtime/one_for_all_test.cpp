#include "runtime/one_for_all.hpp"

#include <catch2/catch_test_macros.hpp>

#include "loop_world.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

constexpr runtime::PeriodicConfig config{.interval = 10min, .error_wait = 1min, .drain = 20s};

struct Replicas : LoopWorld {
    adapters::Faults faults;
    adapters::MemoryDatabase database{&faults};
    std::unique_ptr<ports::Leases> leases = adapters::make_memory_leases(database, clock);
    int passes_of_a = 0;
    int passes_of_b = 0;

    runtime::Pass pass_of(const std::string& holder, int& passes) {
        const auto count = [&passes]() -> Async<Result<std::size_t>> {
            ++passes;
            co_return std::size_t{0};
        };
        return runtime::one_for_all(*leases, {"invariants", holder, 15min}, count);
    }
};

}  // namespace

TEST_CASE("one for all: of two replicas one makes every pass, and the other one none") {
    Replicas w;
    Ended<void> a;
    Ended<void> b;
    start(w.io, runtime::repeat(w.pass_of("a", w.passes_of_a), config, w.loop(), w.stop.get_token()), a);
    start(w.io, runtime::repeat(w.pass_of("b", w.passes_of_b), config, w.loop(), w.stop.get_token()), b);

    w.time.advance(61min);

    CHECK(w.passes_of_a == 7);
    CHECK(w.passes_of_b == 0);
    w.stop_and_finish(a);
    w.time.run([&b] { return b.done; });
}

TEST_CASE("one for all: when the one that makes the passes is gone, another takes over") {
    Replicas w;
    Ended<void> a;
    Ended<void> b;
    std::stop_source death;
    start(w.io, runtime::repeat(w.pass_of("a", w.passes_of_a), config, w.loop(), death.get_token()), a);
    start(w.io, runtime::repeat(w.pass_of("b", w.passes_of_b), config, w.loop(), w.stop.get_token()), b);
    w.time.advance(1min);
    death.request_stop();

    w.time.advance(30min);

    CHECK(w.passes_of_a == 1);
    CHECK(w.passes_of_b == 2);
    w.stop_and_finish(b);
    w.time.run([&a] { return a.done; });
}

TEST_CASE("one for all: a pass is not made where nobody knows whose it is, and the loop tells") {
    Replicas w;
    w.faults.add({"lease.acquire", Error{Errc::unavailable, "the database is down"}});
    Ended<void> a;
    start(w.io, runtime::repeat(w.pass_of("a", w.passes_of_a), config, w.loop(), w.stop.get_token()), a);

    w.time.advance(10s);

    CHECK(w.passes_of_a == 0);
    CHECK(w.events<ports::LoopFailed>().size() == 1);
    w.stop_and_finish(a);
}
