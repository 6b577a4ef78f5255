// When a change of the catalogue reached the product server.
#include <catch2/catch_test_macros.hpp>

#include "unit/marketsim/product_world.hpp"

using namespace marketsim;
using namespace std::chrono_literals;
namespace json = boost::json;

TEST_CASE("arrival: a change has arrived with the first event that shows it") {
    ProductWorld world;
    world.create(1);
    const auto change = world.change(ChangeKind::price);
    CHECK_FALSE(world.server.arrival(change));
    CHECK_FALSE(world.server.arrival(change + 1));

    world.now += 2s;
    const auto told = world.now;
    world.update(2);
    world.now += 2s;
    world.update(3);

    CHECK(world.server.arrival(change) == told);
}

TEST_CASE("arrival: an event that was made before the change does not show it") {
    ProductWorld world;
    world.create(1);
    const auto change = world.change(ChangeKind::price);

    world.send(world.event("PRODUCT_UPDATED", 2, 0));

    CHECK_FALSE(world.server.arrival(change));
}

TEST_CASE("arrival: a refused event shows nothing") {
    ProductWorld world;
    world.create(2);
    const auto change = world.change(ChangeKind::price);

    CHECK(world.update(1).status == 409);

    CHECK_FALSE(world.server.arrival(change));
}

TEST_CASE("arrival: a change of two facets has arrived when both show it") {
    ProductWorld world;
    world.create(1);
    const auto change = world.change(ChangeKind::price);
    auto half = world.event("PRODUCT_UPDATED", 2);
    half.at("productData").as_object()["listing"] =
        world.event("PRODUCT_UPDATED", 2, 0).at("productData").at("listing");

    world.send(half);
    CHECK_FALSE(world.server.arrival(change));
    world.now += 1s;
    world.update(3);

    CHECK(world.server.arrival(change) == world.now);
}

TEST_CASE("arrival: a change that another one covered arrives with that one") {
    ProductWorld world;
    world.create(1);
    const auto first = world.change(ChangeKind::price);
    const auto second = world.change(ChangeKind::price);
    const auto third = world.change(ChangeKind::description);
    world.now += 1s;

    world.update(2);

    CHECK(world.server.arrival(first) == world.now);
    CHECK(world.server.arrival(second) == world.now);
    CHECK(world.server.arrival(third) == world.now);
}

TEST_CASE("arrival: an older state shows the changes up to it, and the later ones wait") {
    ProductWorld world;
    world.create(1);
    const auto first = world.change(ChangeKind::price);
    const auto second = world.change(ChangeKind::price);
    const auto early = world.now;

    world.send(world.event("PRODUCT_UPDATED", 2, 1));
    world.now += 1s;
    CHECK_FALSE(world.server.arrival(second));
    world.update(3);

    CHECK(world.server.arrival(first) == early);
    CHECK(world.server.arrival(second) == world.now);
}

TEST_CASE("arrival: a wrong facet shows no change of itself, but others do of theirs") {
    ProductWorld world;
    world.create(1);
    const auto price = world.change(ChangeKind::price);
    const auto description = world.change(ChangeKind::description);
    auto event = world.event("PRODUCT_UPDATED", 2);
    event.at("productData").at("listing").as_object()["price"] = 1;

    world.send(event);

    CHECK_FALSE(world.server.arrival(price));
    CHECK(world.server.arrival(description) == world.now);
}

TEST_CASE("arrival: a product that was added arrives with its creation") {
    ProductWorld world;
    const auto added =
        world.catalogue.apply({.kind = ChangeKind::add, .seller = 0, .items = {}, .count = 1}, world.now);
    world.item = added.front().item;
    const auto price = world.change(ChangeKind::price);
    auto event = world.event("PRODUCT_CREATED", 1);
    event.at("productData").at("listing").as_object()["price"] = 1;
    world.now += 1s;

    world.send(event);

    CHECK(world.server.arrival(added.front().number) == world.now);
    CHECK_FALSE(world.server.arrival(price));
}

TEST_CASE("arrival: a removal arrives with the deletion, and takes along what was changed before it") {
    ProductWorld world;
    world.create(1);
    const auto price = world.change(ChangeKind::price);
    const auto removal = world.change(ChangeKind::remove);
    world.now += 1s;
    world.send(world.event("PRODUCT_UPDATED", 2, 0));
    CHECK_FALSE(world.server.arrival(price));
    CHECK_FALSE(world.server.arrival(removal));

    world.now += 1s;
    world.remove(3);

    CHECK(world.server.arrival(price) == world.now);
    CHECK(world.server.arrival(removal) == world.now);
}

TEST_CASE("arrival: the deletion of what is on sale shows nothing") {
    ProductWorld world;
    world.create(1);
    const auto price = world.change(ChangeKind::price);

    world.remove(2);

    CHECK_FALSE(world.server.arrival(price));
}

TEST_CASE("arrival: a product that came back arrives with its second creation") {
    ProductWorld world;
    world.create(1);
    const auto removal = world.change(ChangeKind::remove);
    const auto gone = world.now;
    world.remove(2);
    world.now += 1s;
    const auto restoration = world.change(ChangeKind::restore);
    CHECK_FALSE(world.server.arrival(restoration));
    world.now += 1s;

    world.create(3);

    CHECK(world.server.arrival(removal) == gone);
    CHECK(world.server.arrival(restoration) == world.now);
}

TEST_CASE("arrival: a late deletion shows the removal but not the return") {
    ProductWorld world;
    world.create(1);
    const auto removal = world.change(ChangeKind::remove);
    const auto restoration = world.change(ChangeKind::restore);

    world.remove(2);

    CHECK(world.server.arrival(removal) == world.now);
    CHECK_FALSE(world.server.arrival(restoration));
}

TEST_CASE("arrival: who went and came back unseen has arrived with the next event") {
    ProductWorld world;
    world.create(1);
    const auto removal = world.change(ChangeKind::remove);
    const auto restoration = world.change(ChangeKind::restore);
    const auto price = world.change(ChangeKind::price);
    world.now += 1s;

    world.update(2);

    CHECK(world.server.arrival(removal) == world.now);
    CHECK(world.server.arrival(restoration) == world.now);
    CHECK(world.server.arrival(price) == world.now);
}
