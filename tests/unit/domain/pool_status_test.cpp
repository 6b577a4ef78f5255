#include "domain/pool_status.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/builders/user_agent.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

constexpr TimePoint t0{std::chrono::sys_days{std::chrono::year{2026} / 11 / 18} + 9h};

RequestWindow with_requests(int count) {
    std::vector<RequestWindow::Stamp> stamps;
    for (int i = 0; i < count; ++i) {
        const auto at = t0 + i * 2s;
        stamps.push_back({static_cast<std::uint64_t>(i + 1), at, at, at + 60s});
    }
    return *RequestWindow::restore({}, stamps);
}

}  // namespace

TEST_CASE("pool status: of an empty pool every number is zero") {
    const PoolStatus status;

    CHECK(status == PoolStatus{});
    CHECK(status.total == 0);
    CHECK(status.available_rate() == 0.0);
    CHECK(status.health_average() == 0.0);
    CHECK(status.health_min == 0);
}

TEST_CASE("pool status: it counts by state and sums up the health") {
    PoolStatus status;
    status.add(a_user_agent().with_health(100), with_requests(0), t0);
    status.add(a_user_agent().with_health(70), with_requests(0), t0);
    status.add(a_user_agent().with_health(40).suspended(t0, t0 + 1h), with_requests(0), t0);
    status.add(a_user_agent().with_health(10).blocked(), with_requests(0), t0);

    CHECK(status.total == 4);
    CHECK(status.available == 2);
    CHECK(status.suspended == 1);
    CHECK(status.blocked == 1);
    CHECK(status.available_rate() == 50.0);
    CHECK(status.health_average() == 55.0);
    CHECK(status.health_min == 10);
    CHECK(status.health_max == 100);
}

TEST_CASE("pool status: the budget left is what the available ones may still ask") {
    PoolStatus status;
    status.add(a_user_agent(), with_requests(30), t0 + 2min);
    status.add(a_user_agent().with_health(70), with_requests(80), t0 + 3min);
    status.add(a_user_agent().suspended(t0, t0 + 1h), with_requests(1), t0 + 2min);
    status.add(a_user_agent().blocked(), with_requests(0), t0 + 2min);

    CHECK(status.budget_left == 50);
}

TEST_CASE("pool status: what is over by the window is budget again") {
    PoolStatus before;
    before.add(a_user_agent(), with_requests(80), t0 + 1h + 10s - 1us);
    PoolStatus after;
    after.add(a_user_agent(), with_requests(80), t0 + 1h + 10s);

    CHECK(before.budget_left == 0);
    CHECK(after.budget_left == 1);
}

TEST_CASE("pool status: a pool of one at zero health has a minimum of zero") {
    PoolStatus status;
    status.add(a_user_agent().with_health(0), with_requests(0), t0);
    status.add(a_user_agent().with_health(50), with_requests(0), t0);

    CHECK(status.health_min == 0);
    CHECK(status.health_max == 50);
    CHECK(status.health_average() == 25.0);
}
