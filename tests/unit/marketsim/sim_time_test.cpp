#include "sim_time.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace marketsim;
using namespace std::chrono_literals;

TEST_CASE("simulated time: it is real time times the factor", "[marketsim]") {
    CHECK(simulated_time(1500ms, 60) == 90s);
    CHECK(simulated_time(999ns, 1000) == 999us);
    CHECK(simulated_time(0ns, 100'000) == 0s);
}

TEST_CASE("simulated time: the fastest of worlds lasts for a year", "[marketsim]") {
    CHECK(simulated_time(8760h + 1ns, 100'000) == 8760h * 100'000 + 100us);
}
