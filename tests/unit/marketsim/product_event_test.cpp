// What the product server refuses before it looks at what it holds, and how it says so.
#include <catch2/catch_test_macros.hpp>

#include "unit/marketsim/product_world.hpp"

using namespace marketsim;
namespace json = boost::json;

namespace {

json::object& facet(json::object& event, std::string_view name) {
    return event.at("productData").at(name).as_object();
}

// The answer to an event that breaks one rule.
std::string complaint(ProductWorld& world, const json::object& event) {
    const auto told = world.send(event);
    CHECK(told.status == 400);
    CHECK(told.body.at("errorCode") == "INVALID_EVENT");
    return json::value_to<std::string>(told.body.at("message"));
}

json::object updated_field(std::string_view path, const json::value& after) {
    return {{"path", path}, {"before", 1}, {"after", after}};
}

}  // namespace

TEST_CASE("product server: no path but that of a product leads anywhere") {
    ProductWorld world;
    const auto request = ProductWorld::request(world.event("PRODUCT_CREATED", 1), "a");
    const auto status = [&](std::string_view path) { return world.server.handle(request, path, world.now).status; };

    CHECK(status("/products") == 404);
    CHECK(status("/products/") == 404);
    CHECK(status("/products/x") == 404);
    CHECK(status("/products/0") == 404);
    CHECK(status("/products/-1") == 404);
    CHECK(status("/products/0" + std::to_string(world.item)) == 404);
    CHECK(status("/products/" + std::to_string(world.item) + "/more") == 404);
    CHECK(status("/products/" + std::to_string(world.item)) == 201);
}

TEST_CASE("product server: a method that it does not have is refused with those it has") {
    ProductWorld world;
    auto request = ProductWorld::request(world.event("PRODUCT_CREATED", 1), "a");
    request.method = "PATCH";

    const auto response = world.server.handle(request, "/products/" + std::to_string(world.item), world.now);

    CHECK(response.status == 405);
    CHECK(crawler::ports::find_header(response.headers, "Allow") == "GET, POST, PUT, DELETE");
}

TEST_CASE("product server: only the bearer of its key is heard") {
    ProductWorld world;
    auto request = ProductWorld::request(world.event("PRODUCT_CREATED", 1), "a");

    for (const auto* wrong : {"Bearer secre", "Bearer secret2", "secret", "Basic secret", ""}) {
        request.headers[0].value = wrong;
        CHECK(world.send(request, world.item).status == 401);
    }
    request.headers.erase(request.headers.begin());
    CHECK(world.send(request, world.item).status == 401);
    request.method = "GET";
    CHECK(world.send(request, world.item).status == 401);
}

TEST_CASE("product server: an event needs an idempotency key of 1 to 200 printable characters") {
    ProductWorld world;
    const auto status = [&](std::string_view key) {
        return world.send(ProductWorld::request(world.event("PRODUCT_CREATED", 1), key), world.item).status;
    };

    CHECK(status("") == 400);
    CHECK(status(std::string(201, 'k')) == 400);
    CHECK(status("tab\there") == 400);
    CHECK(status("\xc3\xa9") == 400);
    auto without = ProductWorld::request(world.event("PRODUCT_CREATED", 1), "a");
    without.headers.pop_back();
    CHECK(world.send(without, world.item).status == 400);
    CHECK(status(std::string(200, 'k')) == 201);
}

TEST_CASE("product server: a body that is no JSON object is refused") {
    ProductWorld world;
    auto request = ProductWorld::request(world.event("PRODUCT_CREATED", 1), "a");

    for (const auto* body : {"", "[]", "{", "{} {}", "null"}) {
        request.body = body;
        CHECK(world.send(request, world.item).body.at("message") == "'' must be a JSON object");
    }
}

TEST_CASE("product server: every field of the promise is asked for by its pointer") {
    ProductWorld world;

    for (const std::string name : {"itemNo", "sellerId", "version", "changedFields", "productData"}) {
        auto event = world.event("PRODUCT_CREATED", 1);
        event.erase(name);
        CHECK(complaint(world, event) == "'/" + name + "' must be there");
    }
    for (const std::string name : {"listing", "detail", "option"}) {
        auto event = world.event("PRODUCT_CREATED", 1);
        event.at("productData").as_object().erase(name);
        CHECK(complaint(world, event) == "'/productData/" + name + "' must be there");
    }
}

TEST_CASE("product server: what a product is not made of is refused, also of one that is deleted") {
    ProductWorld world;
    world.create(1);

    for (const auto* type : {"PRODUCT_CREATED", "PRODUCT_UPDATED", "PRODUCT_DELETED"}) {
        auto event = world.event(type, 2);
        event.at("productData").as_object()["fetchedAt"] = 1;
        CHECK(complaint(world, event) ==
              "'/productData/fetchedAt' must not be there; listing, detail and option are all");
    }
}

TEST_CASE("product server: a field that is not what it should be is named with its rule") {
    ProductWorld world;
    const auto spoilt = [&](std::string_view name, const json::value& value) {
        auto event = world.event("PRODUCT_CREATED", 1);
        event[name] = value;
        return complaint(world, event);
    };

    CHECK(spoilt("version", 0) == "'/version' must be a positive whole number");
    CHECK(spoilt("version", "1") == "'/version' must be a positive whole number");
    CHECK(spoilt("version", 1.0) == "'/version' must be a positive whole number");
    CHECK(spoilt("itemNo", "117005038") == "'/itemNo' must be a positive whole number");
    CHECK(spoilt("itemNo", world.item + 1) == "'/itemNo' must be the item of the path");
    CHECK(spoilt("sellerId", "") == "'/sellerId' must be a text with something in it");
    CHECK(spoilt("sellerId", "seller_2") == "'/sellerId' must be seller_1");
    CHECK(spoilt("changedFields", json::object{}) == "'/changedFields' must be an array");
    CHECK(spoilt("changedFields", json::array{1}) == "'/changedFields/0' must be an object");
    CHECK(spoilt("changedFields", json::array{json::object{{"path", "/listing/name"}, {"after", 1}}}) ==
          "'/changedFields/0/before' must be there");
    CHECK(spoilt("changedFields", json::array{updated_field("/listings/name", 1)}) ==
          "'/changedFields/0/path' must be a JSON pointer into /listing, /detail or /option");
    CHECK(spoilt("productData", json::array{}) == "'/productData' must be an object");
}

TEST_CASE("product server: the method says the same as the type of the event") {
    ProductWorld world;
    auto request = ProductWorld::request(world.event("PRODUCT_UPDATED", 1), "a");
    request.method = "POST";
    CHECK(world.send(request, world.item).body.at("message") == "'/eventType' must be sent with PUT");

    auto event = world.event("PRODUCT_DELETED", 1);
    event["eventType"] = "PRODUCT_GONE";
    CHECK(complaint(world, event) == "'/eventType' must be PRODUCT_CREATED, PRODUCT_UPDATED or PRODUCT_DELETED");
}

TEST_CASE("product server: an update names what changed, as its data has it") {
    ProductWorld world;
    world.create(1);
    const auto with = [&](const json::array& changes) {
        auto event = world.event("PRODUCT_UPDATED", 2);
        event["changedFields"] = changes;
        facet(event, "option") = {{"43", {{"a/b", "x"}}}};
        return event;
    };
    const std::string rule = "must be what productData has at that path";

    CHECK(complaint(world, with({})) == "'/changedFields' must name what changed");
    CHECK(complaint(world, with({updated_field("/listing/price", -5)})) == "'/changedFields/0/after' " + rule);
    CHECK(complaint(world, with({updated_field("/option/43/a~1b", "x"), updated_field("/detail/none", 1)})) ==
          "'/changedFields/1/after' " + rule);
    CHECK(complaint(world, with({updated_field("/option/43/a~1b", nullptr)})) == "'/changedFields/0/after' " + rule);
    CHECK(world.send(with({updated_field("/detail/none", nullptr), updated_field("/option/43/a~1b", "x")})).status ==
          200);
}

TEST_CASE("product server: an empty object that got fields is gone as a value of its own") {
    ProductWorld world;
    world.create(1);
    auto event = world.event("PRODUCT_UPDATED", 2);
    facet(event, "option") = {{"43", {{"size", "M"}}}};
    event["changedFields"] = json::array{updated_field("/option", nullptr), updated_field("/option/43/size", "M")};

    CHECK(world.send(event).status == 200);

    facet(event, "option").clear();
    event["version"] = 3;
    event["changedFields"] =
        json::array{updated_field("/option", json::object{}), updated_field("/option/43/size", nullptr)};
    CHECK(world.send(event).status == 200);
}

TEST_CASE("product server: a deletion need not know the facets") {
    ProductWorld world;
    world.create(1);
    auto event = world.event("PRODUCT_DELETED", 2);
    event["productData"] = json::object{};

    CHECK(world.send(event).status == 200);
}

TEST_CASE("product server: an item that was never on sale is unknown") {
    ProductWorld world;
    auto event = world.event("PRODUCT_CREATED", 1);
    world.item = 1;
    event["itemNo"] = 1;

    const auto told = world.send(event);

    CHECK(told.status == 404);
    CHECK(told.body.at("errorCode") == "UNKNOWN_ITEM");
    CHECK(world.events().at("unknown") == 1);
}
