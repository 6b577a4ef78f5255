// What the product server accepts given what it holds, and what it counts.
#include <catch2/catch_test_macros.hpp>

#include "unit/marketsim/product_world.hpp"

using namespace marketsim;
namespace json = boost::json;

namespace {

crawler::ports::HttpRequest get() {
    return {.method = "GET", .url = "", .headers = {{"Authorization", "Bearer secret"}}, .body = ""};
}

}  // namespace

TEST_CASE("product server: a product is created, updated and deleted, and can be looked up") {
    ProductWorld world;
    CHECK(world.send(get(), world.item).status == 404);

    CHECK(world.create(1).status == 201);
    world.change(ChangeKind::price);
    CHECK(world.update(2).status == 200);
    CHECK(world.send(get(), world.item).body ==
          json::object{{"itemNo", world.item}, {"version", 2}, {"deleted", false}});
    CHECK(world.remove(7).status == 200);

    CHECK(world.send(get(), world.item).body ==
          json::object{{"itemNo", world.item}, {"version", 7}, {"deleted", true}});
    CHECK(world.events() == json::object{{"received", 3},
                                         {"applied", 3},
                                         {"replays", 0},
                                         {"duplicates", 0},
                                         {"outOfOrder", 0},
                                         {"wentBack", 0},
                                         {"fieldsMissed", 1},  // the price was, and the stock, which is the same, named
                                         {"fieldsInvented", 1},
                                         {"unknown", 0},
                                         {"refused", json::object{}},
                                         {"created", 1},
                                         {"updated", 1},
                                         {"deleted", 1}});
}

TEST_CASE("product server: the same event under the same key is a replay and has no effect") {
    ProductWorld world;
    const auto first = ProductWorld::request(world.event("PRODUCT_CREATED", 1), "key");
    CHECK(world.send(first, world.item).status == 201);
    world.change(ChangeKind::price);
    world.update(2);

    const auto again = world.send(first, world.item);

    CHECK(again.status == 200);
    CHECK(again.body.at("replayed") == true);
    CHECK(world.send(get(), world.item).body.at("version") == 2);
    CHECK(world.events().at("replays") == 1);
    CHECK(world.events().at("applied") == 2);
    CHECK(world.events().at("duplicates") == 0);
}

TEST_CASE("product server: a key that came with another body is refused") {
    ProductWorld world;
    world.send(ProductWorld::request(world.event("PRODUCT_CREATED", 1), "key"), world.item);

    CHECK(world.send(ProductWorld::request(world.event("PRODUCT_UPDATED", 2), "key"), world.item).status == 422);
    CHECK(world.events().at("refused").at("422") == 1);
}

TEST_CASE("product server: the key of an event that was refused is free") {
    ProductWorld world;
    CHECK(world.send(ProductWorld::request(world.event("PRODUCT_UPDATED", 1), "key"), world.item).status == 404);

    CHECK(world.send(ProductWorld::request(world.event("PRODUCT_CREATED", 1), "key"), world.item).status == 201);
}

TEST_CASE("product server: a version that is there already conflicts under another key") {
    ProductWorld world;
    world.create(4);
    world.change(ChangeKind::price);

    const auto told = world.update(4);

    CHECK(told.status == 409);
    CHECK(told.body.at("errorCode") == "VERSION_CONFLICT");
    CHECK(told.body.at("currentVersion") == 4);
    CHECK(world.events().at("outOfOrder") == 0);
    CHECK(world.events().at("duplicates") == 1);
    world.remove(5);
    CHECK(world.remove(5).status == 409);
    CHECK(world.events().at("duplicates") == 2);
}

TEST_CASE("product server: a version below the current one is out of order, also after deletion") {
    ProductWorld world;
    world.create(4);
    CHECK(world.update(3).body.at("currentVersion") == 4);
    world.remove(5);

    CHECK(world.create(4).status == 409);
    CHECK(world.events().at("outOfOrder") == 2);
    CHECK(world.events().at("refused").at("409") == 2);
}

TEST_CASE("product server: what was never created can be neither updated nor deleted") {
    ProductWorld world;

    CHECK(world.update(1).status == 404);
    CHECK(world.remove(1).status == 404);
    CHECK(world.events().at("unknown") == 2);
    CHECK(world.events().at("refused").at("404") == 2);
}

TEST_CASE("product server: what is deleted cannot be updated, but created again") {
    ProductWorld world;
    world.create(1);
    world.remove(2);

    CHECK(world.update(3).status == 409);
    CHECK(world.create(3).status == 201);
    CHECK(world.send(get(), world.item).body.at("deleted") == false);
    CHECK(world.events().at("created") == 2);
    CHECK(world.events().at("duplicates") == 0);
}

TEST_CASE("product server: to create what is there is a duplicate and refused") {
    ProductWorld world;
    world.create(1);

    CHECK(world.create(1).body.at("errorCode") == "VERSION_CONFLICT");
    CHECK(world.create(2).body.at("errorCode") == "ALREADY_EXISTS");
    CHECK(world.events().at("duplicates") == 2);
    CHECK(world.events().at("applied") == 1);
}

TEST_CASE("product server: an update that changes nothing and a second deletion are duplicates") {
    ProductWorld world;
    world.create(1);
    CHECK(world.update(2).status == 200);
    CHECK(world.events().at("duplicates") == 1);
    world.change(ChangeKind::price);
    CHECK(world.update(3).status == 200);
    CHECK(world.events().at("duplicates") == 1);

    CHECK(world.remove(4).status == 200);
    CHECK(world.remove(5).status == 200);
    CHECK(world.events().at("duplicates") == 2);
    CHECK(world.events().at("applied") == 5);
}

TEST_CASE("product server: the order in which a sender names the fields makes no difference") {
    ProductWorld world;
    world.create(1);
    auto event = world.event("PRODUCT_UPDATED", 2);
    const auto detail = event.at("productData").at("detail").as_object();
    json::object reversed;
    for (auto member = detail.end(); member != detail.begin();) {
        --member;
        reversed[member->key()] = member->value();
    }
    event.at("productData").as_object()["detail"] = reversed;

    world.send(event);

    CHECK(world.events().at("duplicates") == 1);
}

TEST_CASE("product server: whatever it is sent is applied, a replay or refused") {
    ProductWorld world;
    const auto first = ProductWorld::request(world.event("PRODUCT_CREATED", 1), "key");
    world.send(first, world.item);
    world.send(first, world.item);
    world.create(2);
    world.send(get(), world.item);
    auto stranger = first;
    stranger.headers.clear();
    world.send(stranger, world.item);

    const auto events = world.events();

    CHECK(events.at("received") == 4);
    CHECK(events.at("applied") == 1);
    CHECK(events.at("replays") == 1);
    CHECK(events.at("refused") == json::object{{"401", 1}, {"409", 1}});
}

TEST_CASE("product server: a newer version with what the product was before went back") {
    ProductWorld world;
    world.create(1);
    world.change(ChangeKind::price);
    world.update(2);
    CHECK(world.events().at("wentBack") == 0);

    CHECK(world.send(world.event("PRODUCT_UPDATED", 3, 0)).status == 200);

    CHECK(world.events().at("wentBack") == 1);
    CHECK(world.update(4).status == 200);
    CHECK(world.events().at("wentBack") == 1);
}

TEST_CASE("product server: whoever is late but tells all in order did not go back") {
    ProductWorld world;
    for (int i = 0; i < 3; ++i) world.change(ChangeKind::stock);

    world.create(1);
    world.remove(2);
    world.change(ChangeKind::price);
    for (int i = 0; i < 3; ++i) world.change(ChangeKind::description);
    world.send(world.event("PRODUCT_CREATED", 3, 5));
    world.send(world.event("PRODUCT_UPDATED", 4, 6));
    world.update(5);

    CHECK(world.events().at("wentBack") == 0);
}

TEST_CASE("product server: what came back to what it was may have been told when it first was") {
    ProductWorld world;
    // Until three revisions of the images are the same, another and the same again.
    std::optional<std::uint32_t> first;
    const auto images = [&](std::size_t revision) { return world.catalogue.product(world.item, revision).images; };
    for (std::size_t last = 1; !first && last < 400; ++last) {
        world.change(ChangeKind::images);
        for (auto before = last > 20 ? last - 20 : 0; !first && before + 1 < last; ++before) {
            if (images(before) == images(last) && images(before + 1) != images(last))
                first = static_cast<std::uint32_t>(before);
        }
    }
    REQUIRE(first);
    const auto last = world.catalogue.revision(world.item);

    // The catalogue is at the third already when the first is told, so that it looks like the third.
    CHECK(world.send(world.event("PRODUCT_CREATED", 1, *first)).status == 201);
    CHECK(world.send(world.event("PRODUCT_UPDATED", 2, *first + 1)).status == 200);
    CHECK(world.send(world.event("PRODUCT_UPDATED", 3, last)).status == 200);
    CHECK(world.events().at("wentBack") == 0);

    CHECK(world.send(world.event("PRODUCT_UPDATED", 4, *first + 1)).status == 200);
    CHECK(world.events().at("wentBack") == 1);
}
