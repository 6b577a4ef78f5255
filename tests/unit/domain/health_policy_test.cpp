#include "domain/health_policy.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace crawler;
using namespace std::chrono_literals;

namespace {

constexpr TimePoint t0{std::chrono::sys_days{std::chrono::year{2026} / 11 / 18} + 9h};

bool is_refused_for(const HealthPolicy& policy, const std::string& name) {
    const auto checked = policy.check();
    return !checked && checked.error().code == Errc::invalid && checked.error().detail.find(name) != std::string::npos;
}

}  // namespace

TEST_CASE("health policy: what each outcome costs") {
    const HealthPolicy policy;

    CHECK(policy.loss(RequestOutcome::succeeded) == 0);
    CHECK(policy.loss(RequestOutcome::throttled) == 20);
    CHECK(policy.loss(RequestOutcome::server_error) == 10);
    CHECK(policy.loss(RequestOutcome::refused) == 5);
    CHECK(policy.loss(RequestOutcome::failed) == 5);
    CHECK(policy.loss(RequestOutcome::unanswered) == 5);
}

TEST_CASE("health policy: below the floor a suspension is a quarantine") {
    const HealthPolicy policy;

    CHECK(policy.suspended_until(30, t0, {}) == t0 + 1h);
    CHECK(policy.suspended_until(29, t0, {}) == t0 + 6h);
}

TEST_CASE("health policy: a Retry-After makes a suspension longer, never shorter") {
    const HealthPolicy policy;

    CHECK(policy.suspended_until(80, t0, 59min) == t0 + 1h);
    CHECK(policy.suspended_until(80, t0, 61min) == t0 + 61min);
    CHECK(policy.suspended_until(10, t0, 5h) == t0 + 6h);
    CHECK(policy.suspended_until(10, t0, 23h) == t0 + 23h);
    CHECK(policy.suspended_until(80, t0, -1h) == t0 + 1h);
}

TEST_CASE("health policy: whatever a Retry-After asks for, a suspension ends") {
    CHECK(HealthPolicy{}.suspended_until(80, t0, Duration::max()) == t0 + 24h);
    CHECK(HealthPolicy{}.suspended_until(80, t0, Duration::min()) == t0 + 1h);
    CHECK(HealthPolicy{.longest_retry_after = 2h}.suspended_until(80, t0, 3h) == t0 + 2h);
    CHECK_FALSE(HealthPolicy{.longest_retry_after = -1us}.check());
}

TEST_CASE("health policy: the defaults and the ends of every range are accepted") {
    CHECK(HealthPolicy{}.check());
    CHECK(HealthPolicy{.success_gain = 0, .throttled_loss = 100, .floor = 0, .recovered_health = 0}.check());
    CHECK(HealthPolicy{.floor = 100, .recovered_health = 100, .suspension = 1us, .quarantine = 1us}.check());
    CHECK(HealthPolicy{.token_failures_to_block = 1}.check());
}

TEST_CASE("health policy: a number out of its range is refused by its name") {
    CHECK(is_refused_for({.success_gain = -1}, "success_gain is -1"));
    CHECK(is_refused_for({.throttled_loss = 101}, "throttled_loss"));
    CHECK(is_refused_for({.server_error_loss = -1}, "server_error_loss"));
    CHECK(is_refused_for({.failure_loss = 101}, "failure_loss"));
    CHECK(is_refused_for({.floor = -1}, "floor"));
    CHECK(is_refused_for({.floor = 71}, "recovered_health"));
    CHECK(is_refused_for({.recovered_health = 101}, "recovered_health"));
    CHECK(is_refused_for({.suspension = 0s}, "suspension"));
    CHECK(is_refused_for({.suspension = 7h}, "quarantine"));
    CHECK(is_refused_for({.token_failures_to_block = 0}, "token_failures_to_block"));
}

TEST_CASE("health policy: where somebody else is at fault only a 429 costs anything") {
    const auto lenient = HealthPolicy{}.lenient();

    CHECK(lenient.loss(RequestOutcome::throttled) == 20);
    CHECK(lenient.loss(RequestOutcome::server_error) == 0);
    CHECK(lenient.loss(RequestOutcome::refused) == 0);
    CHECK(lenient.loss(RequestOutcome::unanswered) == 0);
    CHECK(lenient.success_gain == 5);
}
