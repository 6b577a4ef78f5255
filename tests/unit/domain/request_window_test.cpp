// Longer than usual: the rules of one class, each with both sides of its bound.
#include "domain/request_window.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace crawler;
using namespace std::chrono_literals;

namespace {

constexpr TimePoint t0{std::chrono::sys_days{std::chrono::year{2026} / 11 / 18} + 9h};
constexpr Duration lease = 60s;

RequestWindow a_window(WindowLimits limits = {}) {
    return *RequestWindow::create(limits);
}

std::uint64_t reserve(RequestWindow& window, TimePoint now) {
    const auto answer = window.reserve(now, lease);
    REQUIRE(answer);
    REQUIRE(std::holds_alternative<Granted>(*answer));
    return std::get<Granted>(*answer).reservation;
}

TimePoint refused_until(RequestWindow& window, TimePoint now) {
    const auto answer = window.reserve(now, lease);
    REQUIRE(answer);
    REQUIRE(std::holds_alternative<FreeAt>(*answer));
    return std::get<FreeAt>(*answer).time;
}

// A request that is answered at once.
void request(RequestWindow& window, TimePoint now) {
    REQUIRE(window.answered(reserve(window, now), now));
}

Errc code_of(const Result<>& result) {
    REQUIRE_FALSE(result);
    return result.error().code;
}

}  // namespace

TEST_CASE("request window: the next is granted when the spacing after the answer is over") {
    auto window = a_window();
    const auto first = reserve(window, t0);
    REQUIRE(window.answered(first, t0 + 300ms));

    CHECK(refused_until(window, t0 + 300ms) == t0 + 1300ms);
    CHECK(refused_until(window, t0 + 1300ms - 1us) == t0 + 1300ms);
    reserve(window, t0 + 1300ms);
}

TEST_CASE(
    "request window: while one is unanswered nobody else gets one before its lease, the guard and the spacing are "
    "over") {
    auto window = a_window();
    reserve(window, t0);

    CHECK(refused_until(window, t0 + 5s) == t0 + 60s + 10s + 1s);
    CHECK(refused_until(window, t0 + 71s - 1us) == t0 + 71s);
    reserve(window, t0 + 71s);
}

TEST_CASE("request window: without spacing several may be under way at once, up to the limit") {
    auto window = a_window({.limit = 3, .span = 1h, .spacing = 0s, .guard = 10s});
    const auto first = reserve(window, t0);
    reserve(window, t0);
    const auto third = reserve(window, t0);

    CHECK(refused_until(window, t0) == t0 + lease + 10s + 1h + 10s);
    REQUIRE(window.answered(third, t0 + 2s));
    CHECK(window.free_at(t0 + 2s) == t0 + 2s + 1h + 10s);
    REQUIRE(window.answered(first, t0 + 3s));
    CHECK(window.free_at(t0 + 3s) == t0 + 2s + 1h + 10s);
}

TEST_CASE("request window: a full log grants again when its oldest is over by the span and the guard") {
    auto window = a_window({.limit = 2, .span = 1h, .spacing = 1s, .guard = 10s});
    request(window, t0);
    request(window, t0 + 10min);

    CHECK(refused_until(window, t0 + 20min) == t0 + 1h + 10s);
    CHECK(refused_until(window, t0 + 1h + 10s - 1us) == t0 + 1h + 10s);
    request(window, t0 + 1h + 10s);
    CHECK(refused_until(window, t0 + 1h + 10s) == t0 + 10min + 1h + 10s);
}

TEST_CASE("request window: a request that was never answered counts from the end of its lease and the guard") {
    auto window = a_window({.limit = 1, .span = 1h, .spacing = 1s, .guard = 10s});
    reserve(window, t0);

    CHECK(window.free_at(t0) == t0 + lease + 10s + 1h + 10s);
}

TEST_CASE("request window: with the last of the limit spent nothing is left") {
    auto window = a_window({.limit = 2, .span = 1h, .spacing = 1s, .guard = 0s});
    CHECK(window.used(t0) == 0);
    CHECK(window.left(t0) == 2);

    request(window, t0);
    CHECK(window.used(t0) == 1);
    request(window, t0 + 1s);
    CHECK(window.left(t0 + 1s) == 0);

    CHECK(window.left(t0 + 1h - 1us) == 0);
    CHECK(window.left(t0 + 1h) == 1);
    CHECK(window.left(t0 + 1h + 1s) == 2);
}

TEST_CASE("request window: nothing is given back for a request that came to nothing") {
    auto window = a_window({.limit = 1, .span = 1h, .spacing = 0s, .guard = 0s});
    reserve(window, t0);

    CHECK(window.left(t0 + lease + 1s) == 0);
    CHECK(window.left(t0 + lease + 1h) == 1);
}

TEST_CASE("request window: a spacing longer than the span holds all the same") {
    auto window = a_window({.limit = 5, .span = 1s, .spacing = 1min, .guard = 0s});
    request(window, t0);

    CHECK(refused_until(window, t0 + 10s) == t0 + 1min);
    request(window, t0 + 1min);
}

TEST_CASE("request window: an answer counts once, and the first one stays") {
    auto window = a_window();
    const auto first = reserve(window, t0);
    REQUIRE(window.answered(first, t0 + 1s));

    const auto again = window.answered(first, t0 + 30s);

    CHECK(code_of(again) == Errc::conflict);
    CHECK(window.stamps().front().answered == t0 + 1s);
    CHECK(window.free_at(t0 + 30s) == t0 + 30s);
}

TEST_CASE("request window: an answer to an unknown reservation is a conflict") {
    auto window = a_window();
    reserve(window, t0);

    CHECK(code_of(window.answered(2, t0)) == Errc::conflict);
    CHECK(code_of(window.answered(0, t0)) == Errc::conflict);
}

TEST_CASE("request window: an answer to a forgotten reservation is a conflict") {
    auto window = a_window({.limit = 2, .span = 1s, .spacing = 0s, .guard = 0s});
    const auto lost = reserve(window, t0);
    reserve(window, t0 + lease + 1s);

    CHECK(code_of(window.answered(lost, t0 + lease + 2s)) == Errc::conflict);
}

TEST_CASE("request window: an answer after the lease makes nothing later than it was assumed to be") {
    auto window = a_window();
    const auto first = reserve(window, t0);

    REQUIRE(window.answered(first, t0 + 10min));

    CHECK(window.free_at(t0 + 10min) == t0 + 10min);
}

TEST_CASE("request window: an answer dated before its reservation counts from the reservation") {
    auto window = a_window();
    const auto first = reserve(window, t0);

    REQUIRE(window.answered(first, t0 - 5s));

    CHECK(window.stamps().front().answered == t0);
    CHECK(window.free_at(t0) == t0 + 1s);
}

TEST_CASE(
    "request window: a clock that steps back is refused until it has caught up, and the refusal names both times") {
    auto window = a_window();
    request(window, t0);

    const auto back = window.reserve(t0 - 1us, lease);
    REQUIRE_FALSE(back);
    CHECK(back.error().code == Errc::unavailable);
    CHECK(back.error().detail.find("2026-11-18T09:00:00.000000Z") != std::string::npos);
    CHECK(back.error().detail.find("2026-11-18T08:59:59.999999Z") != std::string::npos);

    CHECK(refused_until(window, t0) == t0 + 1s);
    request(window, t0 + 1s);
}

TEST_CASE("request window: a refusal and an answer move the clock that must not step back") {
    auto window = a_window();
    const auto first = reserve(window, t0);
    CHECK(refused_until(window, t0 + 10s) == t0 + 71s);
    CHECK_FALSE(window.reserve(t0 + 9s, lease));
    REQUIRE(window.answered(first, t0 + 20s));

    CHECK_FALSE(window.reserve(t0 + 20s - 1us, lease));
    CHECK(window.free_at(t0 + 5s) == t0 + 21s);
}

TEST_CASE("request window: to a clock that has stepped back it is free when that has caught up, not before") {
    auto window = a_window({.limit = 2, .span = 1h, .spacing = 0s, .guard = 0s});
    request(window, t0 + 20s);

    const auto free = window.free_at(t0);

    CHECK(free == t0 + 20s);
    reserve(window, free);
}

TEST_CASE("request window: a lease must last") {
    auto window = a_window();

    CHECK(window.reserve(t0, 0s).error().code == Errc::invalid);
    CHECK(window.reserve(t0, -1us).error().code == Errc::invalid);
    CHECK(window.stamps().empty());
    CHECK(window.reserve(t0, 1us));
}

TEST_CASE("request window: limits that make no sense are refused, and the refusal names the value") {
    CHECK(WindowLimits{}.check());
    CHECK(WindowLimits{.limit = 1, .span = 1us, .spacing = 0us, .guard = 0us}.check());
    for (const auto& limits : {WindowLimits{.limit = 0}, WindowLimits{.limit = -1}, WindowLimits{.span = 0us},
                               WindowLimits{.spacing = -1us}, WindowLimits{.guard = -1us}}) {
        CHECK(code_of(limits.check()) == Errc::invalid);
        CHECK_FALSE(RequestWindow::create(limits));
    }
    CHECK(WindowLimits{.limit = -7}.check().error().detail.find("-7") != std::string::npos);
}

TEST_CASE("request window: it is read back as it was stamped") {
    auto window = a_window({.limit = 5, .span = 1h, .spacing = 0s, .guard = 10s});
    const auto first = reserve(window, t0);
    const auto second = reserve(window, t0 + 1s);
    REQUIRE(window.answered(second, t0 + 3s));

    CHECK(window.stamps() == std::vector<RequestWindow::Stamp>{{first, t0, std::nullopt, t0 + lease},
                                                               {second, t0 + 1s, t0 + 3s, t0 + 1s + lease}});
}

TEST_CASE("request window: restored from a ledger in any order it knows what is under way and numbers on") {
    auto window = RequestWindow::restore(
        {}, {{7, t0 + 10s, std::nullopt, t0 + 70s}, {3, t0, t0 + 1s, t0 + 60s}, {5, t0 + 5s, t0 + 6s, t0 + 65s}});
    REQUIRE(window);

    CHECK(window->used(t0 + 10s) == 3);
    CHECK(window->free_at(t0 + 10s) == t0 + 70s + 10s + 1s);
    REQUIRE(window->answered(7, t0 + 12s));
    CHECK(reserve(*window, t0 + 13s) == 8);
}

TEST_CASE("request window: a restored one knows the time of its newest stamp") {
    auto window = RequestWindow::restore({}, {{1, t0, t0 + 20s, t0 + 60s}});

    CHECK(window->reserve(t0 + 19s, lease).error().code == Errc::unavailable);
    CHECK(window->free_at(t0) == t0 + 21s);
}

TEST_CASE("request window: more stamps than a lowered limit wait until few enough are left") {
    const WindowLimits limits{.limit = 2, .span = 1h, .spacing = 0s, .guard = 0s};
    auto window = RequestWindow::restore(limits, {{1, t0, t0, t0 + 60s},
                                                  {2, t0 + 1min, t0 + 1min, t0 + 2min},
                                                  {3, t0 + 2min, t0 + 2min, t0 + 3min},
                                                  {4, t0 + 3min, t0 + 3min, t0 + 4min}});
    REQUIRE(window);

    CHECK(window->stamps().size() == 2);
    CHECK(window->left(t0 + 10min) == 0);
    CHECK(refused_until(*window, t0 + 10min) == t0 + 2min + 1h);
    reserve(*window, t0 + 2min + 1h);
}

TEST_CASE("request window: an early answer does not bring a lowered limit forward before those that were dropped") {
    const WindowLimits limits{.limit = 1, .span = 1h, .spacing = 0s, .guard = 0s};
    auto window = RequestWindow::restore(limits, {{1, t0 - 5s, t0 + 20s, t0 + 60s}, {2, t0, std::nullopt, t0 + 2min}});
    REQUIRE(window);

    REQUIRE(window->answered(2, t0 + 20s));

    CHECK(window->free_at(t0 + 20s) == t0 + 20s + 1h);
}

TEST_CASE(
    "request window: a dropped one that may still arrive holds a lowered limit back, however early the other is "
    "answered") {
    const WindowLimits limits{.limit = 1, .span = 1h, .spacing = 0s, .guard = 0s};
    auto window = RequestWindow::restore(limits, {{1, t0, std::nullopt, t0 + 1min}, {2, t0, std::nullopt, t0 + 2min}});
    REQUIRE(window);

    REQUIRE(window->answered(2, t0 + 20s));

    CHECK(refused_until(*window, t0 + 20s + 1h) == t0 + 1min + 1h);
    reserve(*window, t0 + 1min + 1h);
}

TEST_CASE("request window: a ledger that cannot be true is refused") {
    CHECK(RequestWindow::restore({}, {{1, t0, std::nullopt, t0}}).error().code == Errc::invalid);
    CHECK(RequestWindow::restore({}, {{1, t0, t0 - 1us, t0 + 1s}}).error().code == Errc::invalid);
    CHECK(RequestWindow::restore({}, {{1, t0, t0, t0 + 1s}}));
    CHECK(RequestWindow::restore({}, {{1, t0, {}, t0 + 1s}, {1, t0 + 1h, {}, t0 + 2h}}).error().code == Errc::invalid);
}
