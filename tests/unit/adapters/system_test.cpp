#include "adapters/system/system.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <regex>
#include <set>

#include "support/clocks.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

std::string next(ports::IdGenerator& ids) {
    return ids.make<TaskId>().value;
}

// The milliseconds an id carries.
std::int64_t milliseconds_of(const std::string& id) {
    return std::stoll(id.substr(0, 8) + id.substr(9, 4), nullptr, 16);
}

}  // namespace

TEST_CASE("system clock: it moves on and is in this century") {
    const auto clock = adapters::make_system_clock();

    const auto first = clock->now();

    CHECK(first > TimePoint{std::chrono::sys_days{std::chrono::year{2024} / 1 / 1}});
    CHECK(first < TimePoint{std::chrono::sys_days{std::chrono::year{2100} / 1 / 1}});
    CHECK(clock->now() >= first);
}

TEST_CASE("uuid: an id has the form, version and variant of RFC 9562") {
    const ManualClock clock;
    const auto ids = adapters::make_uuid_generator(clock);
    const std::regex form("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");

    for (int i = 0; i < 1000; ++i) {
        const auto id = next(*ids);
        INFO(id);
        CHECK(std::regex_match(id, form));
    }
}

TEST_CASE("uuid: an id carries the millisecond it was made in") {
    ManualClock clock(TimePoint{0x017f22e279b0ms + 999us});
    const auto ids = adapters::make_uuid_generator(clock);

    CHECK(next(*ids).starts_with("017f22e2-79b0-7"));
    clock.advance(1us);
    CHECK(next(*ids).starts_with("017f22e2-79b1-7"));
}

TEST_CASE("uuid: a hundred thousand ids of one millisecond are sorted and all different") {
    const ManualClock clock;
    const auto ids = adapters::make_uuid_generator(clock);
    std::vector<std::string> made;
    for (int i = 0; i < 100'000; ++i) made.push_back(next(*ids));

    CHECK(std::ranges::adjacent_find(made, std::ranges::greater_equal{}) == made.end());
    CHECK(milliseconds_of(made.back()) - milliseconds_of(made.front()) == 0);
}

TEST_CASE("uuid: ids stay sorted when the clock steps back, and follow it again once it has caught up") {
    ManualClock clock;
    const auto ids = adapters::make_uuid_generator(clock);
    auto last = next(*ids);
    const auto before = milliseconds_of(last);

    clock.advance(-1h);
    for (int i = 0; i < 1000; ++i) {
        const auto id = next(*ids);
        REQUIRE(id > last);
        last = id;
    }
    CHECK(milliseconds_of(last) == before);

    clock.advance(1h + 1ms);
    const auto id = next(*ids);
    CHECK(id > last);
    CHECK(milliseconds_of(id) == before + 1);
}

TEST_CASE("uuid: two generators at the same instant make different ids") {
    const ManualClock clock;
    const auto one = adapters::make_uuid_generator(clock);
    const auto other = adapters::make_uuid_generator(clock);
    std::set<std::string> made;
    for (int i = 0; i < 10'000; ++i) {
        made.insert(next(*one));
        made.insert(next(*other));
    }

    CHECK(made.size() == 20'000);
}
