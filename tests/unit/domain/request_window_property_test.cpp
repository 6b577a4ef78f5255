#include <catch2/catch_test_macros.hpp>

#include "support/server_view.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

constexpr TimePoint t0{std::chrono::sys_days{std::chrono::year{2026} / 11 / 18}};

WindowLimits any_limits(Chance& chance) {
    WindowLimits limits{.limit = static_cast<int>(chance.number(1, 12)),
                        .span = Duration{chance.number(1, 120'000'000)},
                        .spacing = Duration{chance.number(0, 3'000'000)},
                        .guard = Duration{chance.number(0, 10'000'000)}};
    if (chance.percent(30)) limits.spacing = 0s;
    if (chance.percent(5)) limits.spacing = limits.span + limits.guard + 1s;
    if (chance.percent(20)) limits.guard = 0s;
    return limits;
}

Traffic any_traffic(const WindowLimits& limits, Chance& chance) {
    const Duration lease{chance.number(1, 30'000'000)};
    return {.length = 20 * limits.span + 5min,
            .lease = lease,
            .latency = Duration{chance.number(0, lease.count())},
            .crash_percent = static_cast<int>(chance.number(0, 30)),
            .pause_percent = static_cast<int>(chance.number(0, 20)),
            .pause = 2 * limits.span};
}

}  // namespace

TEST_CASE("request window: whatever happens on the way, no span at the server holds more than the limit") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        Chance chance(seed);
        const auto limits = any_limits(chance);
        const auto traffic = any_traffic(limits, chance);
        auto window = RequestWindow::create(limits);
        REQUIRE(window);

        const auto view = drive(*window, limits, traffic, chance, t0);

        const auto judgement = judge(view.arrivals, rule_of(limits));
        REQUIRE(view.granted > 0);
        REQUIRE(judgement.most_in_a_span <= limits.limit);
        REQUIRE(judgement.closest >= limits.spacing);
        REQUIRE(window->stamps().size() <= static_cast<std::size_t>(limits.limit));
    }
}

TEST_CASE("request window: 80 an hour are kept with pauses and crashes over days") {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        CAPTURE(seed);
        Chance chance(seed);
        auto window = RequestWindow::create({});
        const Traffic traffic{.length = 48h, .crash_percent = 5, .pause_percent = 2, .pause = 2h};

        const auto view = drive(*window, {}, traffic, chance, t0);

        REQUIRE(judge(view.arrivals).keeps());
    }
}

TEST_CASE("request window: whoever asks when told wastes less than three per cent of the budget") {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        CAPTURE(seed);
        Chance chance(seed);
        auto window = RequestWindow::create({.limit = 80, .span = 1h, .spacing = 1s, .guard = 10s});

        const auto view = drive(*window, {}, {.length = 24h, .latency = 1s}, chance, t0);  // answers after up to 2 s

        REQUIRE(judge(view.arrivals).keeps());
        REQUIRE(view.granted >= 24 * 80 * 97 / 100);
        // Not by the burst at the beginning alone: the last twenty hours keep it too.
        const auto late = std::ranges::count_if(view.arrivals, [](TimePoint at) { return at >= t0 + 4h; });
        REQUIRE(late >= 20 * 80 * 97 / 100);
    }
}

TEST_CASE("request window: a refusal names exactly the moment from which it grants") {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        CAPTURE(seed);
        Chance chance(seed);
        auto window = *RequestWindow::create(any_limits(chance));
        auto now = t0;
        std::vector<std::uint64_t> under_way;
        for (int step = 0; step < 60; ++step) {
            now += Duration{chance.number(0, 8'000'000)};
            if (!under_way.empty() && chance.percent(40)) {
                (void)window.answered(under_way.back(), now);  // a conflict, where it was forgotten meanwhile
                under_way.pop_back();
            }
            const auto before = window;
            const auto answer = window.reserve(now, Duration{chance.number(1, 20'000'000)});
            REQUIRE(answer);
            if (const auto* granted = std::get_if<Granted>(&*answer)) {
                REQUIRE(before.free_at(now) == now);
                under_way.push_back(granted->reservation);
                continue;
            }
            const auto told = std::get<FreeAt>(*answer).time;
            REQUIRE(before.free_at(now) == told);
            auto early = window;
            const auto too_early = early.reserve(told - 1us, 1s);
            REQUIRE(too_early);
            REQUIRE(std::get<FreeAt>(*too_early).time == told);
            auto in_time = window;
            const auto granted = in_time.reserve(told, 1s);
            REQUIRE(granted);
            REQUIRE(std::holds_alternative<Granted>(*granted));
        }
    }
}

TEST_CASE("request window: one that is restored from its stamps goes on as if nothing had happened") {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        CAPTURE(seed);
        Chance chance(seed);
        const auto limits = any_limits(chance);
        const auto traffic = any_traffic(limits, chance);
        auto window = *RequestWindow::create(limits);
        (void)drive(window, limits, traffic, chance, t0);

        auto stamps = window.stamps();
        std::ranges::reverse(stamps);
        const auto restored = RequestWindow::restore(limits, stamps);

        REQUIRE(restored);
        REQUIRE(restored->stamps() == window.stamps());
        for (const auto later : {0s, 5s, 60s}) {
            const auto now = t0 + traffic.length + later;
            REQUIRE(restored->used(now) == window.used(now));
            REQUIRE(std::max(restored->free_at(now), now) == std::max(window.free_at(now), now));
        }
    }
}
