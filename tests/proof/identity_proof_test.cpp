// The proof in small, for every pool there is, and what the judge must find out in the same worlds. `make proof` runs it in large.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "proof/simulation.hpp"

using namespace crawler;
using namespace crawler::proof;

namespace {

// Databases are asked some hundred times a second, memory some hundred thousand.
struct Size {
    std::string pool;
    int identities;
    std::int64_t arrivals;
};
const Size in_memory{"memory", 50, 120'000};
const Size on_sqlite{"sqlite", 3, 1'500};
const Size on_mariadb{"mariadb", 3, 700};
const Size on_redis{"redis", 5, 1'500};

World world_of(const Size& size, Faults faults = {}) {
    World world{.identities = size.identities, .faults = faults};
    world.ceiling.per_hour = world.limits.limit * size.identities;
    return world;
}

Outcome prove(const Size& size, const World& world, std::uint64_t seed = 1) {
    return Simulation(size.pool, world, seed).go(size.arrivals, [](std::int64_t) {});
}

const Faults dying{.crashes = true, .jitter = true, .restarts = true};
const Faults everything{
    .crashes = true, .jitter = true, .outcomes = true, .restarts = true, .clock_back = true, .idle = true};

void check(const Outcome& outcome) {
    const auto& found = outcome.identities;
    CAPTURE(found.arrivals, found.most_in_a_span, found.closest, outcome.host_hour.most_in_a_span, outcome.used_share);
    CHECK(found.spans_above == 0);
    CHECK(found.too_close == 0);
    CHECK(outcome.host_hour.spans_above == 0);
    CHECK(outcome.ledger_proves.value_or(true));
}

}  // namespace

TEST_CASE("identity proof: under saturation the marketplace never sees too much, and 97 % of the budget are used",
          "[proof]") {
    const auto size = GENERATE(in_memory, on_sqlite, on_mariadb, on_redis);
    CAPTURE(size.pool);

    const auto outcome = prove(size, world_of(size));

    check(outcome);
    CHECK(outcome.used_share >= 0.97);
    CHECK(outcome.used_share <= 1);
}

TEST_CASE("identity proof: workers that die and packets that are late waste hardly any of it", "[proof]") {
    const auto size = GENERATE(in_memory, on_sqlite, on_mariadb, on_redis);
    CAPTURE(size.pool);

    const auto outcome = prove(size, world_of(size, dying));

    check(outcome);
    CHECK(outcome.never_sent > 0);
    CHECK(outcome.unreported > 0);
    CHECK(outcome.used_share >= 0.97);
}

TEST_CASE("identity proof: whatever goes wrong at once, the marketplace never sees too much", "[proof]") {
    const auto size = GENERATE(in_memory, on_sqlite, on_mariadb, on_redis);
    CAPTURE(size.pool);

    const auto outcome = prove(size, world_of(size, everything), 2);

    check(outcome);
    if (size.pool == in_memory.pool) CHECK(outcome.refusals > 0);  // while the clock was back
}

TEST_CASE("identity proof: Redis that dies, comes back empty or forgets the last seconds lets none too many through",
          "[proof]") {
    const auto seed = GENERATE(range(1, 3));
    CAPTURE(seed);
    auto faults = dying;
    faults.server = true;

    check(prove(on_redis, world_of(on_redis, faults), static_cast<std::uint64_t>(seed)));
}

TEST_CASE("identity proof: a clock that jumps ahead is covered by the guard band, as far as the hour goes", "[proof]") {
    const auto size = GENERATE(in_memory, on_sqlite);
    CAPTURE(size.pool);

    const auto outcome = prove(size, world_of(size, {.jitter = true, .clock_ahead = true}));

    CHECK(outcome.identities.spans_above == 0);
}

TEST_CASE("identity proof: a spacing with the guard band in it bears a clock that jumps ahead, and wastes nothing",
          "[proof]") {
    const auto size = GENERATE(in_memory, on_sqlite);
    CAPTURE(size.pool);
    auto world = world_of(size, {.crashes = true, .jitter = true, .clock_ahead = true});
    world.limits.spacing += world.limits.guard;

    const auto outcome = prove(size, world);

    check(outcome);
    CHECK(outcome.used_share >= 0.97);
}

TEST_CASE("identity proof: the judge catches a pool without the guard band", "[proof]") {
    const auto size = GENERATE(in_memory, Size{"sqlite", 5, 5'000}, Size{"redis", 5, 5'000});
    CAPTURE(size.pool);
    auto world = world_of(size, {.crashes = true, .jitter = true});
    world.limits.guard = world.ceiling.guard = Duration{0};

    CHECK(prove(size, world).identities.spans_above > 0);
}

TEST_CASE("identity proof: the judge catches a pool that goes by the callers' clocks", "[proof]") {
    const auto size = GENERATE(in_memory, on_sqlite, on_redis);
    CAPTURE(size.pool);
    auto world = world_of(size);
    world.callers_clock = true;

    CHECK(prove(size, world).identities.spans_above > 0);
}

TEST_CASE("identity proof: the judge catches a refund after a crash", "[proof]") {
    const Size size{"refund", 50, 40'000};

    CHECK(prove(size, world_of(size, dying)).identities.spans_above > 0);
}

TEST_CASE("identity proof: the judge catches a fixed window", "[proof]") {
    const Size size{"fixed-window", 50, 40'000};

    CHECK(prove(size, world_of(size, {.idle = true})).identities.most_in_a_span > 120);
}

TEST_CASE("identity proof: the judge acquits the true window of what convicts the false ones", "[proof]") {
    const Size size{"true-window", 50, 40'000};

    check(prove(size, world_of(size, dying)));
    check(prove(size, world_of(size, {.idle = true})));
}

TEST_CASE("identity proof: a simulation comes again with its seed", "[proof]") {
    const auto world = world_of(in_memory, everything);

    const auto one = prove(in_memory, world, 7);
    const auto same = prove(in_memory, world, 7);
    const auto other = prove(in_memory, world, 8);

    CHECK(one.length == same.length);
    CHECK(one.reserved == same.reserved);
    CHECK(one.length != other.length);
}
