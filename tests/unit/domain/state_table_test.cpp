#include "domain/state_table.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace crawler;

namespace {

enum class Door { open, shut, locked };
constexpr auto names(Door) {
    return std::to_array<EnumName<Door>>({{Door::open, "OPEN"}, {Door::shut, "SHUT"}, {Door::locked, "LOCKED"}});
}
enum class Act { push, pull };
constexpr auto names(Act) {
    return std::to_array<EnumName<Act>>({{Act::push, "push"}, {Act::pull, "pull"}});
}

constexpr StateTable door_table{"Door", Door::shut,
                                std::to_array<Transition<Door, Act>>({{Door::shut, Act::push, Door::open},
                                                                      {Door::open, Act::pull, Door::shut, "no wind"},
                                                                      {Door::open, Act::pull, Door::open, "wind"}})};

}  // namespace

TEST_CASE("state table: a declared transition happens") {
    auto door = Door::shut;

    const auto moved = door_table.move(door, Act::push, Door::open, "3");

    CHECK(moved);
    CHECK(door == Door::open);
}

TEST_CASE("state table: what is not declared does not happen, and the answer names thing, id, state and verb") {
    auto door = Door::locked;

    const auto moved = door_table.move(door, Act::push, Door::open, "3");

    REQUIRE_FALSE(moved);
    CHECK(moved.error() == Error{Errc::conflict, "Door 3 is LOCKED; cannot push it"});
    CHECK(door == Door::locked);
}

TEST_CASE("state table: a verb that fits the state but not the target is refused too") {
    auto door = Door::shut;

    CHECK_FALSE(door_table.move(door, Act::push, Door::locked, "3"));
    CHECK_FALSE(door_table.move(door, Act::pull, Door::open, "3"));
    CHECK(door == Door::shut);
}

TEST_CASE("state table: one verb may lead to several states") {
    CHECK(door_table.allows(Door::open, Act::pull, Door::shut));
    CHECK(door_table.allows(Door::open, Act::pull, Door::open));
    CHECK_FALSE(door_table.allows(Door::open, Act::pull, Door::locked));
    CHECK(door_table.allows(Door::open, Act::pull));
    CHECK_FALSE(door_table.allows(Door::open, Act::push));
}

TEST_CASE("state table: its drawing has every state, every arrow and what decides between arrows") {
    const auto drawn = door_table.machine();

    CHECK(drawn.name == "Door");
    CHECK(drawn.first == "SHUT");
    CHECK(drawn.states == std::vector<std::string_view>{"OPEN", "SHUT", "LOCKED"});
    REQUIRE(drawn.arrows.size() == 3);
    CHECK(drawn.arrows[1].from == "OPEN");
    CHECK(drawn.arrows[1].verb == "pull");
    CHECK(drawn.arrows[1].to == "SHUT");
    CHECK(drawn.arrows[1].when == "no wind");
}
