#include "domain/host_ceiling.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/server_view.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

constexpr TimePoint t0{std::chrono::sys_days{std::chrono::year{2026} / 11 / 18} + 9h};
constexpr Duration lease = 60s;

HostCeiling::Reservation reserve(HostCeiling& ceiling, TimePoint now) {
    const auto answer = ceiling.reserve(now, lease);
    REQUIRE(answer);
    REQUIRE(std::holds_alternative<HostCeiling::Reservation>(*answer));
    return std::get<HostCeiling::Reservation>(*answer);
}

TimePoint refused_until(HostCeiling& ceiling, TimePoint now) {
    const auto answer = ceiling.reserve(now, lease);
    REQUIRE(answer);
    REQUIRE(std::holds_alternative<FreeAt>(*answer));
    return std::get<FreeAt>(*answer).time;
}

// The ceiling as the judge's caller wants it.
struct Numbered {
    HostCeiling ceiling;
    std::vector<HostCeiling::Reservation> reservations;

    Result<std::variant<Granted, FreeAt>> reserve(TimePoint now, Duration length) {
        using Answer = std::variant<Granted, FreeAt>;
        const auto answer = ceiling.reserve(now, length);
        if (!answer) return answer.error();
        if (const auto* refused = std::get_if<FreeAt>(&*answer)) return Answer(*refused);
        reservations.push_back(std::get<HostCeiling::Reservation>(*answer));
        return Answer(Granted{reservations.size() - 1});
    }
    Result<> answered(std::uint64_t number, TimePoint now) { return ceiling.answered(reservations.at(number), now); }
};

}  // namespace

TEST_CASE(
    "host ceiling: the second refuses what is one too many, until one of its requests is answered and a second old") {
    auto ceiling = *HostCeiling::create({.per_second = 2, .per_hour = 100});
    const auto first = reserve(ceiling, t0);
    reserve(ceiling, t0);

    CHECK(refused_until(ceiling, t0) == t0 + lease + 1s);
    REQUIRE(ceiling.answered(first, t0 + 200ms));
    CHECK(refused_until(ceiling, t0 + 1200ms - 1us) == t0 + 1200ms);
    reserve(ceiling, t0 + 1200ms);
}

TEST_CASE("host ceiling: the hour refuses what the second would grant") {
    auto ceiling = *HostCeiling::create({.per_second = 10, .per_hour = 2});
    REQUIRE(ceiling.answered(reserve(ceiling, t0), t0 + 1s));
    REQUIRE(ceiling.answered(reserve(ceiling, t0 + 10s), t0 + 11s));

    CHECK(ceiling.left_this_hour(t0 + 20s) == 0);
    CHECK(refused_until(ceiling, t0 + 20s) == t0 + 1s + 1h + 10s);
    reserve(ceiling, t0 + 1s + 1h + 10s);
}

TEST_CASE("host ceiling: a refusal reserves in neither window") {
    auto ceiling = *HostCeiling::create({.per_second = 1, .per_hour = 3});
    reserve(ceiling, t0);
    CHECK(refused_until(ceiling, t0) == t0 + lease + 1s);

    CHECK(ceiling.left_this_hour(t0) == 2);
    CHECK(ceiling.stamps().size() == 1);
}

TEST_CASE("host ceiling: what the hour refuses takes nothing of the second") {
    auto ceiling = *HostCeiling::create({.per_second = 1, .per_hour = 1, .guard = 0s});
    REQUIRE(ceiling.answered(reserve(ceiling, t0), t0));

    CHECK(refused_until(ceiling, t0 + 1h - 1us) == t0 + 1h);

    reserve(ceiling, t0 + 1h);
}

TEST_CASE("host ceiling: an answer counts once") {
    auto ceiling = *HostCeiling::create({});
    const auto first = reserve(ceiling, t0);

    CHECK(ceiling.answered(first, t0 + 1s));
    CHECK(ceiling.answered(first, t0 + 2s).error().code == Errc::conflict);
    CHECK(ceiling.answered({9, 9}, t0 + 2s).error().code == Errc::conflict);
}

TEST_CASE("host ceiling: an answer that comes when the second has forgotten it still counts for the hour") {
    auto ceiling = *HostCeiling::create({.per_second = 1, .per_hour = 100});
    const auto slow = reserve(ceiling, t0);
    reserve(ceiling, t0 + lease + 1s);

    CHECK(ceiling.answered(slow, t0 + lease + 2s));
}

TEST_CASE("host ceiling: a clock that steps back and a lease of nothing are refused") {
    auto ceiling = *HostCeiling::create({});
    reserve(ceiling, t0);

    CHECK(ceiling.reserve(t0 - 1us, lease).error().code == Errc::unavailable);
    CHECK(ceiling.reserve(t0, 0s).error().code == Errc::invalid);
    CHECK(ceiling.stamps().size() == 1);
}

TEST_CASE("host ceiling: restored from the hour's stamps it knows what is under way in both") {
    auto ceiling = HostCeiling::restore({.per_second = 2, .per_hour = 10},
                                        {{1, t0 - 30min, t0 - 30min, t0 - 29min}, {2, t0, std::nullopt, t0 + lease}});
    REQUIRE(ceiling);

    CHECK(ceiling->left_this_hour(t0) == 8);
    reserve(*ceiling, t0 + 1s);
    CHECK(refused_until(*ceiling, t0 + 1s) == t0 + lease + 1s);
}

TEST_CASE("host ceiling: limits and stamps that make no sense are refused") {
    CHECK(CeilingLimits{}.check());
    CHECK(CeilingLimits{.per_second = 1, .per_hour = 1, .guard = 0s}.check());
    CHECK(HostCeiling::create({.per_second = 0}).error().detail.find("per second") != std::string::npos);
    CHECK(HostCeiling::create({.per_hour = 0}).error().detail.find("per hour") != std::string::npos);
    CHECK(HostCeiling::create({.guard = -1s}).error().code == Errc::invalid);
    CHECK(HostCeiling::restore({}, {{1, t0, std::nullopt, t0}}).error().code == Errc::invalid);
}

TEST_CASE("host ceiling: whatever happens on the way, the server sees neither too many in a second nor in an hour") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        Chance chance(seed);
        const CeilingLimits limits{.per_second = static_cast<int>(chance.number(1, 5)), .per_hour = 300};
        Numbered ceiling{*HostCeiling::create(limits), {}};
        // The judge's caller lets packets be late by the guard, of which the second has none.
        const Traffic traffic{.length = 4h, .lease = 20s, .crash_percent = 3, .pause_percent = 1, .pause = 1h};

        const auto view = drive(ceiling, {.guard = 0s}, traffic, chance, t0);

        REQUIRE(view.granted > 100);
        REQUIRE(judge(view.arrivals, {.span = 1s}).most_in_a_span <= limits.per_second);
        REQUIRE(judge(view.arrivals).most_in_a_span <= limits.per_hour);
    }
}
