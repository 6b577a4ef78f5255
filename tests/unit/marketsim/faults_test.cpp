#include "faults.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>

using namespace marketsim;
using namespace std::chrono_literals;

namespace {

FaultSettings some_faults() {
    FaultSettings settings;
    settings.seed = 7;
    auto& detail = settings.at[static_cast<std::size_t>(Place::detail)];
    detail.per_mille[static_cast<std::size_t>(Fault::error_503)] = 100;
    detail.per_mille[static_cast<std::size_t>(Fault::reset)] = 50;
    detail.latency_median = 200ms;
    detail.latency_p99 = 2s;
    return settings;
}

std::string request(int i) {
    return "/item/" + std::to_string(i);
}

}  // namespace

TEST_CASE("faults: so many of a thousand requests suffer, each place by itself", "[marketsim]") {
    FaultPlan plan(some_faults());
    std::map<std::optional<Fault>, int> seen;
    for (int i = 0; i < 20'000; ++i) ++seen[plan.decide(Place::detail, request(i)).fault];

    CHECK(seen.size() == 3);
    CHECK(std::abs(seen[Fault::error_503] - 2000) < 200);
    CHECK(std::abs(seen[Fault::reset] - 1000) < 150);
    for (int i = 0; i < 100; ++i) CHECK_FALSE(plan.decide(Place::listing, request(i)).fault);
}

TEST_CASE("faults: what becomes of a request does not hang on the requests between", "[marketsim]") {
    FaultPlan forward(some_faults());
    FaultPlan backward(some_faults());
    std::map<int, std::pair<std::optional<Fault>, SimTime>> fates;
    for (int i = 0; i < 500; ++i) {
        const auto fate = forward.decide(Place::detail, request(i));
        fates[i] = {fate.fault, fate.latency};
    }

    for (int i = 499; i >= 0; --i) {
        const auto fate = backward.decide(Place::detail, request(i));
        CHECK(fates[i] == std::pair(fate.fault, fate.latency));
    }
}

TEST_CASE("faults: a request that suffered can fare better when it is made again", "[marketsim]") {
    FaultPlan plan(some_faults());
    int suffered = 0;
    int again = 0;
    for (int i = 0; i < 1000; ++i) {
        if (!plan.decide(Place::detail, request(i)).fault) continue;
        ++suffered;
        again += plan.decide(Place::detail, request(i)).fault ? 1 : 0;
    }

    CHECK(suffered > 100);
    CHECK(again < suffered / 2);
}

TEST_CASE("faults: two places that are asked for the same fare differently", "[marketsim]") {
    auto settings = some_faults();
    settings.at[static_cast<std::size_t>(Place::options)] = settings.at[static_cast<std::size_t>(Place::detail)];
    FaultPlan plan(settings);
    int differ = 0;
    for (int i = 0; i < 100; ++i)
        differ += plan.decide(Place::detail, request(i)).latency != plan.decide(Place::options, request(i)).latency;

    CHECK(differ == 100);
}

TEST_CASE("faults: latency has the median and the tail that were asked for", "[marketsim]") {
    FaultPlan plan(some_faults());
    std::vector<SimTime> latencies;
    for (int i = 0; i < 20'000; ++i) latencies.push_back(plan.decide(Place::detail, request(i)).latency);
    std::ranges::sort(latencies);

    CHECK(latencies[10'000] > 180ms);
    CHECK(latencies[10'000] < 220ms);
    CHECK(latencies[19'800] > 1600ms);
    CHECK(latencies[19'800] < 2500ms);
}

TEST_CASE("faults: switched off there is latency and nothing else", "[marketsim]") {
    FaultPlan plan(some_faults());
    plan.switch_faults(false);

    for (int i = 0; i < 1000; ++i) {
        const auto fate = plan.decide(Place::detail, request(i));
        CHECK_FALSE(fate.fault);
        CHECK(fate.latency > 0s);
    }
}
