#include "domain/breaker.hpp"

#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <map>

using namespace crawler;
using namespace std::chrono_literals;

namespace {

constexpr TimePoint t0{std::chrono::sys_days{std::chrono::year{2026} / 11 / 18} + 9h};
constexpr Duration lease = 60s;
const BreakerPolicy policy;
using Status = BreakerStatus;
using Verb = BreakerVerb;

Breaker tripped() {
    Breaker breaker;
    REQUIRE(breaker.observe(0, 50, policy, t0));
    return breaker;
}

std::uint64_t probe(Breaker& breaker, TimePoint now) {
    const auto answer = breaker.ask(now, lease);
    REQUIRE(std::holds_alternative<Breaker::Permit>(answer));
    REQUIRE(std::get<Breaker::Permit>(answer).probe);
    return *std::get<Breaker::Permit>(answer).probe;
}

bool permits_freely(Breaker& breaker, TimePoint now) {
    const auto answer = breaker.ask(now, lease);
    return std::holds_alternative<Breaker::Permit>(answer) && !std::get<Breaker::Permit>(answer).probe;
}

TimePoint refused_until(Breaker& breaker, TimePoint now) {
    const auto answer = breaker.ask(now, lease);
    REQUIRE(std::holds_alternative<Breaker::RefusedUntil>(answer));
    return std::get<Breaker::RefusedUntil>(answer).time;
}

}  // namespace

TEST_CASE("breaker: closed it permits everything") {
    Breaker breaker;

    CHECK(permits_freely(breaker, t0));
    CHECK(permits_freely(breaker, t0));
    CHECK(breaker.state() == Breaker::State{});
}

TEST_CASE("breaker: it trips when less than a fifth is available, and not at exactly a fifth") {
    Breaker breaker;
    CHECK_FALSE(breaker.observe(50, 50, policy, t0));
    CHECK_FALSE(breaker.observe(10, 50, policy, t0));
    CHECK(breaker.state().status == Status::closed);

    CHECK(breaker.observe(9, 50, policy, t0));
    CHECK(breaker.state().status == Status::open);
    CHECK(breaker.state().open_until == t0 + 10min);
}

TEST_CASE("breaker: an empty pool counts as none available") {
    Breaker breaker;
    CHECK(breaker.observe(0, 0, policy, t0));
}

TEST_CASE("breaker: shares of numbers beyond 32 bits are compared exactly") {
    Breaker breaker;
    CHECK_FALSE(breaker.observe(1'000'000'000'000, 5'000'000'000'000, policy, t0));
    CHECK(breaker.observe(999'999'999'999, 5'000'000'000'000, policy, t0));
}

TEST_CASE("breaker: open it permits nothing and says until when") {
    auto breaker = tripped();

    CHECK(refused_until(breaker, t0) == t0 + 10min);
    CHECK(refused_until(breaker, t0 + 10min - 1us) == t0 + 10min);
    CHECK(breaker.free_at(t0 + 5min) == t0 + 10min);
    CHECK(breaker.state().status == Status::open);
}

TEST_CASE("breaker: an observation while it is open neither prolongs nor ends it") {
    auto breaker = tripped();

    CHECK_FALSE(breaker.observe(0, 50, policy, t0 + 5min));
    CHECK_FALSE(breaker.observe(50, 50, policy, t0 + 5min));

    CHECK(refused_until(breaker, t0 + 5min) == t0 + 10min);
}

TEST_CASE("breaker: after its time the first who asks gets the one probe, all others wait for its lease") {
    auto breaker = tripped();

    CHECK(probe(breaker, t0 + 10min) == 1);
    CHECK(breaker.state().status == Status::half_open);
    CHECK(refused_until(breaker, t0 + 10min) == t0 + 10min + lease);
    CHECK(refused_until(breaker, t0 + 10min + lease - 1us) == t0 + 10min + lease);
}

TEST_CASE("breaker: a probe whose owner died is given again when its lease is over") {
    auto breaker = tripped();
    const auto first = probe(breaker, t0 + 10min);

    const auto second = probe(breaker, t0 + 10min + lease);

    CHECK(second == first + 1);
    CHECK(breaker.state().probe_until == t0 + 10min + 2 * lease);
}

TEST_CASE("breaker: a probe that succeeds closes it") {
    auto breaker = tripped();
    const auto number = probe(breaker, t0 + 10min);

    REQUIRE(breaker.probe_succeeded(number, t0 + 10min + 1s));

    CHECK(breaker.state().status == Status::closed);
    CHECK_FALSE(breaker.state().probe_until);
    CHECK(permits_freely(breaker, t0 + 10min + 1s));
}

TEST_CASE("breaker: a probe that fails opens it for the whole time again") {
    auto breaker = tripped();
    const auto number = probe(breaker, t0 + 10min);

    REQUIRE(breaker.probe_failed(number, policy, t0 + 10min + 5s));

    CHECK(breaker.state().status == Status::open);
    CHECK(refused_until(breaker, t0 + 10min + 5s) == t0 + 20min + 5s);
}

TEST_CASE("breaker: after a successful probe a share that is still too small opens it again") {
    auto breaker = tripped();
    REQUIRE(breaker.probe_succeeded(probe(breaker, t0 + 10min), t0 + 11min - 1s));

    CHECK(breaker.observe(9, 50, policy, t0 + 11min));
    CHECK(refused_until(breaker, t0 + 11min) == t0 + 21min);
}

TEST_CASE("breaker: the late result of a lost probe is refused, whether or not there is another") {
    auto breaker = tripped();
    const auto lost = probe(breaker, t0 + 10min);

    CHECK(breaker.probe_succeeded(lost, t0 + 10min + lease).error().code == Errc::conflict);
    const auto next = probe(breaker, t0 + 10min + lease);
    const auto before = breaker.state();
    CHECK(breaker.probe_failed(lost, policy, t0 + 11min + 1s).error().code == Errc::conflict);
    CHECK(breaker.probe_succeeded(lost, t0 + 11min + 1s).error().detail ==
          "Breaker of the pool is HALF_OPEN; cannot report a successful probe to it: probe 1 was given up");
    CHECK(breaker.state() == before);
    CHECK(breaker.probe_succeeded(next, t0 + 11min + lease - 1us));
}

TEST_CASE("breaker: every verb in every state leads where it should, or changes nothing") {
    const auto in = [](Status status) {
        Breaker::State state{.status = status, .open_until = {}, .probe = 4, .probe_until = {}};
        if (status == Status::open) state.open_until = t0;
        if (status == Status::half_open) state.probe_until = t0 + lease;
        return Breaker::restore(state);
    };
    const std::map<Verb, std::function<Result<>(Breaker&)>> verbs{
        {Verb::trip,
         [](Breaker& b) {
             (void)b.observe(0, 50, policy, t0);
             return Result<>();
         }},
        {Verb::probe,
         [](Breaker& b) {
             (void)b.ask(b.state().status == Status::half_open ? t0 + lease : t0, lease);
             return Result<>();
         }},
        {Verb::pass, [](Breaker& b) { return b.probe_succeeded(4, t0); }},
        {Verb::fail, [](Breaker& b) { return b.probe_failed(4, policy, t0); }},
    };
    const std::map<Verb, std::map<Status, Status>> expected{
        {Verb::trip, {{Status::closed, Status::open}}},
        {Verb::probe, {{Status::open, Status::half_open}, {Status::half_open, Status::half_open}}},
        {Verb::pass, {{Status::half_open, Status::closed}}},
        {Verb::fail, {{Status::half_open, Status::open}}},
    };

    for (const auto& state : names(Status{})) {
        for (const auto& verb : names(Verb{})) {
            CAPTURE(state.name, verb.name);
            auto breaker = in(state.value);
            const auto before = breaker.state();
            const auto& row = expected.at(verb.value);
            const auto to = row.find(state.value);

            const auto done = verbs.at(verb.value)(breaker);

            CHECK(breaker_table.allows(state.value, verb.value) == (to != row.end()));
            for (const auto& other : names(Status{}))
                CHECK(breaker_table.allows(state.value, verb.value, other.value) ==
                      (to != row.end() && to->second == other.value));
            if (to != row.end()) {
                REQUIRE(done);
                CHECK(breaker.state().status == to->second);
                CHECK_FALSE(breaker.state() == before);
                continue;
            }
            CHECK(breaker.state() == before);
            if (verb.value == Verb::trip || verb.value == Verb::probe)
                continue;  // asking and observing are never errors
            REQUIRE_FALSE(done);
            CHECK(done.error().code == Errc::conflict);
            CHECK(done.error().detail ==
                  "Breaker of the pool is " + std::string(state.name) + "; cannot " + std::string(verb.name) + " it");
        }
    }
}

TEST_CASE("breaker: numbers out of their range are refused") {
    CHECK(BreakerPolicy{}.check());
    CHECK(BreakerPolicy{.least_available_percent = 0, .open_for = 1us}.check());
    CHECK(BreakerPolicy{.least_available_percent = 100}.check());
    CHECK(BreakerPolicy{.least_available_percent = -1}.check().error().code == Errc::invalid);
    CHECK(BreakerPolicy{.least_available_percent = 101}.check().error().detail.find("101") != std::string::npos);
    CHECK(BreakerPolicy{.open_for = 0s}.check().error().code == Errc::invalid);
}
