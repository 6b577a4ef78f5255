// Hours of work by several processes on one database, in time that the test moves: workers ask, send after a while, are answered after
// another, die in between. A judge who knows only when requests arrived counts them at the server.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <map>

#include "application/audit_rate.hpp"
#include "integration/identity_pool_world.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

struct Simulated {
    int identities = 2;
    int workers = 4;
    Duration length = 5h;
    Duration latency = 2s;  // at most, from the reservation to sending, and from there to the answer
    int crash_percent = 0;  // before sending or after, half and half
    WindowLimits limits = {};
};

struct Seen {
    std::map<std::string, std::vector<TimePoint>> arrivals;  // by identity
    int granted = 0;
};

class Simulation {
  public:
    Simulation(Simulated what, std::uint64_t seed) : what_(what), chance_(seed) {
        world_.config.limits = what.limits;
        world_.enroll(what.identities);
        for (int i = 0; i < 3; ++i) pools_.push_back(&world_.process());
        for (int i = 0; i < what.workers; ++i) asks_.emplace(world_.now(), i);
    }

    Seen go() {
        const auto end = world_.now() + what_.length;
        while (true) {
            const auto ask = asks_.empty() ? TimePoint::max() : asks_.begin()->first;
            const auto answer = answers_.empty() ? TimePoint::max() : answers_.begin()->first;
            if (std::min(ask, answer) >= end) break;
            answer <= ask ? report() : reserve();
        }
        return std::move(seen_);
    }
    PoolWorld<SqliteStores>& world() { return world_; }

  private:
    struct UnderWay {
        int worker;
        ports::Slot slot;
    };

    // A worker is at home in one of the processes.
    ports::IdentityPool& pool_of(int worker) { return *pools_[static_cast<std::size_t>(worker) % pools_.size()]; }

    void reserve() {
        const auto [now, worker] = *asks_.begin();
        asks_.erase(asks_.begin());
        world_.clock.set(now);
        auto reserved = test::reserve(world_, pool_of(worker));
        if (const auto* next = std::get_if<ports::NextSlotAt>(&reserved)) {
            REQUIRE(next->time > now);
            asks_.emplace(next->time, worker);
            return;
        }
        ++seen_.granted;
        send(worker, std::get<ports::Slot>(std::move(reserved)), now);
    }

    void send(int worker, ports::Slot slot, TimePoint now) {
        auto& arrivals = seen_.arrivals[slot.identity.value];
        const auto too_late = slot.valid_until + what_.limits.guard;  // no packet is under way for longer
        if (chance_.percent(what_.crash_percent)) {
            if (chance_.percent(50)) arrivals.push_back(chance_.between(now, too_late));
            asks_.emplace(slot.valid_until, worker);  // another takes its place
            return;
        }
        const auto sent = chance_.between(now, now + what_.latency);
        const auto answered = chance_.between(sent, sent + what_.latency);
        arrivals.push_back(chance_.between(sent, answered));
        answers_.emplace(answered, UnderWay{worker, std::move(slot)});
    }

    void report() {
        auto [now, under_way] = *answers_.begin();
        answers_.erase(answers_.begin());
        world_.clock.set(now);
        // Any process may hear of it: what is known is known to all.
        auto& pool = pool_of(static_cast<int>(chance_.number(0, 2)));
        test::report(world_, pool, under_way.slot, ports::SlotOutcome::succeeded);
        asks_.emplace(now, under_way.worker);
    }

    Simulated what_;
    Chance chance_;
    PoolWorld<SqliteStores> world_;
    std::vector<ports::IdentityPool*> pools_;
    std::multimap<TimePoint, int> asks_;
    std::multimap<TimePoint, UnderWay> answers_;
    Seen seen_;
};

void check_at_the_server(const Seen& seen, const WindowLimits& limits) {
    for (const auto& [identity, arrivals] : seen.arrivals) {
        const auto found = judge(arrivals, limits.span);
        CAPTURE(identity, found.most_in_a_span, found.closest);
        CHECK(found.keeps(limits));
    }
}

// What the auditor finds in the ledger that this has left.
void check_audit(PoolWorld<SqliteStores>& world, const WindowLimits& limits) {
    application::AuditRate audit({*world.ledger, world.clock, *world.telemetry}, limits);
    const auto rates = world.run(audit.run(TimePoint{}));
    REQUIRE(rates);
    CHECK_FALSE(rates->empty());
    for (const auto& rate : *rates) {
        CAPTURE(rate.identity.value, rate.most_possible);
        CHECK(rate.verdict == application::RateVerdict::kept);
    }
}

}  // namespace

TEST_CASE("sql identity pool: under saturation the server never sees too much, and hardly anything is wasted",
          "[integration][identity_pool]") {
    const Simulated what;
    Simulation simulation(what, 1);

    const auto seen = simulation.go();

    check_at_the_server(seen, what.limits);
    check_audit(simulation.world(), what.limits);
    const auto budget = what.identities * what.limits.limit * 5;
    CHECK(seen.granted >= budget * 95 / 100);
    CHECK(seen.granted <= budget + what.identities);
}

TEST_CASE("sql identity pool: whatever latency and crashes do, the server never sees too much",
          "[integration][identity_pool]") {
    const auto seed = GENERATE(range(1, 5));
    // A small window, so that hours of it are few requests.
    const Simulated what{.identities = 3,
                         .workers = 5,
                         .length = 1h,
                         .latency = 20s,
                         .crash_percent = 20,
                         .limits = {.limit = 5, .span = 4min, .spacing = 3s, .guard = 10s}};
    Simulation simulation(what, static_cast<std::uint64_t>(seed));

    const auto seen = simulation.go();

    CHECK(seen.granted > 50);
    check_at_the_server(seen, what.limits);
    check_audit(simulation.world(), what.limits);
}
