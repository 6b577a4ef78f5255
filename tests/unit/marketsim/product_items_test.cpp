// How far what the product server holds is from the catalogue, item by item.
#include <catch2/catch_test_macros.hpp>

#include "unit/marketsim/product_world.hpp"

using namespace marketsim;
using namespace std::chrono_literals;
namespace json = boost::json;

namespace {

struct Classes {
    std::int64_t equal = 0;
    std::int64_t stale = 0;
    std::int64_t wrong = 0;
    std::int64_t missing = 0;
    std::int64_t extra = 0;

    friend bool operator==(const Classes&, const Classes&) = default;
};

Classes classes(const json::object& report) {
    const auto count = [&](std::string_view name) { return report.at(name).as_int64(); };
    return {count("equal"), count("stale"), count("wrong"), count("missing"), count("extra")};
}

}  // namespace

TEST_CASE("product server: what was never created is missing since it is on sale") {
    ProductWorld world;

    const auto report = world.items(2);

    CHECK(report.at("expected") == 10);
    CHECK(classes(report) == Classes{.missing = 10});
    CHECK(report.at("accuracy") == 0.0);
    CHECK(report.at("details").as_array().size() == 2);
    CHECK(report.at("detailsLeftOff") == 8);
    CHECK(report.at("details").at(0) ==
          json::object{{"itemNo", world.item}, {"problem", "missing"}, {"ageMs", 100'000}});
}

TEST_CASE("product server: what is as the catalogue has it is equal") {
    ProductWorld world;
    world.create_all();

    const auto report = world.items();

    CHECK(classes(report) == Classes{.equal = 10});
    CHECK(report.at("accuracy") == 1.0);
    CHECK(report.at("details").as_array().empty());
    CHECK(report.at("detailsLeftOff") == 0);
}

TEST_CASE("product server: the report can be of one seller") {
    ProductWorld world;
    world.create(1);
    world.change(ChangeKind::remove);

    const auto first = world.server.items_report(world.now, 0, 0);
    const auto second = world.server.items_report(world.now, 1, 0);

    CHECK(classes(first) == Classes{.missing = 4, .extra = 1});
    CHECK(classes(second) == Classes{.missing = 5});
    CHECK(first.at("detailsLeftOff") == 5);
}

TEST_CASE("product server: where nothing is expected all of it is right") {
    const Catalogue nothing({.seed = 1, .sellers = 1, .products = 0});
    const ListedItems listed;
    const ProductServer server(nothing, listed, "secret");

    CHECK(server.items_report(1s, {}, 10).at("accuracy") == 1.0);
}

TEST_CASE("product server: what was right before a change is stale since that change, not wrong") {
    ProductWorld world;
    world.create_all();
    world.now += 10s;
    world.change(ChangeKind::price);
    world.now += 5s;
    world.change(ChangeKind::description);
    world.now += 1500ms;

    const auto report = world.items();

    CHECK(classes(report) == Classes{.equal = 9, .stale = 1});
    CHECK(report.at("accuracy") == 0.9);
    CHECK(only_detail(report) == json::object{{"itemNo", world.item},
                                              {"problem", "stale"},
                                              {"ageMs", 6500},
                                              {"facets", json::array{"listing", "detail"}}});
}

TEST_CASE("product server: an event that was right for an older revision leaves the product stale") {
    ProductWorld world;
    world.create_all();
    world.change(ChangeKind::price);
    world.now += 1s;
    world.change(ChangeKind::price);
    world.now += 1s;
    world.change(ChangeKind::description);
    world.now += 1s;

    world.send(world.event("PRODUCT_UPDATED", 2, 1));

    CHECK(classes(world.items()) == Classes{.equal = 9, .stale = 1});
    CHECK(only_detail(world.items()).at("ageMs") == 2000);
    CHECK(world.update(3).status == 200);
    CHECK(classes(world.items()) == Classes{.equal = 10});
}

TEST_CASE("product server: of a product that changed for ever only the newest revisions are looked at") {
    ProductWorld world;
    world.create_all();
    for (int i = 0; i < 150; ++i) {
        world.now += 1s;
        world.change(ChangeKind::price);
    }
    CHECK(only_detail(world.items()).at("ageMs") == 149'000);

    world.send(world.event("PRODUCT_UPDATED", 2, 60));
    CHECK(only_detail(world.items()).at("ageMs") == 89'000);
    world.send(world.event("PRODUCT_UPDATED", 3, 40));
    CHECK(only_detail(world.items()).at("problem") == "wrong");
}

TEST_CASE("product server: each facet is held against the revisions by itself") {
    ProductWorld world;
    world.create_all();
    world.change(ChangeKind::price);
    world.now += 1s;
    world.change(ChangeKind::description);
    world.now += 1s;
    auto event = world.event("PRODUCT_UPDATED", 2);
    const auto before = world.event("PRODUCT_UPDATED", 2, 0);
    event.at("productData").as_object()["listing"] = before.at("productData").at("listing");

    world.send(event);

    CHECK(only_detail(world.items()) ==
          json::object{
              {"itemNo", world.item}, {"problem", "stale"}, {"ageMs", 2000}, {"facets", json::array{"listing"}}});
}

TEST_CASE("product server: a product that went and came back as it was is equal") {
    ProductWorld world;
    world.create_all();
    world.change(ChangeKind::remove);
    world.change(ChangeKind::restore);

    CHECK(classes(world.items()) == Classes{.equal = 10});
}

TEST_CASE("product server: what no revision ever had is wrong, field by field") {
    ProductWorld world;
    world.create_all();
    world.change(ChangeKind::price);
    auto event = world.event("PRODUCT_UPDATED", 2);
    const auto price = json::serialize(event.at("productData").at("listing").at("price"));
    event.at("productData").at("listing").as_object()["price"] = 1;
    event.at("productData").at("detail").as_object().erase("itemStatus");

    world.send(event);

    const auto detail = only_detail(world.items());
    CHECK(classes(world.items()) == Classes{.equal = 9, .wrong = 1});
    CHECK(detail.at("problem") == "wrong");
    REQUIRE(detail.at("fields").as_array().size() == 2);
    CHECK(detail.at("fields").at(0) == json::object{{"path", "/listing/price"}, {"expected", price}, {"found", "1"}});
    CHECK(detail.at("fields").at(1).at("path") == "/detail/itemStatus");
}

TEST_CASE("product server: wrong comes before stale, and is forgotten when it is put right") {
    ProductWorld world;
    world.create_all();
    auto event = world.event("PRODUCT_UPDATED", 2);
    event.at("productData").at("detail").as_object()["sellerId"] = "another";
    world.send(event);
    world.change(ChangeKind::images);

    CHECK(classes(world.items()) == Classes{.equal = 9, .wrong = 1});
    world.update(3);
    CHECK(classes(world.items()) == Classes{.equal = 10});
}

TEST_CASE("product server: of a product that is all wrong only the first fields are kept") {
    ProductWorld world;
    world.create_all();
    auto event = world.event("PRODUCT_UPDATED", 2);
    event.at("productData").as_object()["detail"] =
        json::object{{"stock", event.at("productData").at("detail").at("stock")}};

    world.send(event);

    CHECK(only_detail(world.items()).at("fields").as_array().size() == 20);
    CHECK(only_detail(world.items()).at("wrongFields").to_number<int>() > 20);
}

TEST_CASE("product server: a path that somebody made up is kept in short") {
    ProductWorld world;
    world.create_all();
    auto event = world.event("PRODUCT_UPDATED", 2);
    event.at("productData").at("listing").as_object()[std::string(100'000, 'x')] = 1;

    world.send(event);

    const auto detail = only_detail(world.items());
    CHECK(detail.at("wrongFields") == 1);
    CHECK(detail.at("fields").at(0).at("path").as_string().size() < 300);
}

TEST_CASE("product server: of very many wrong products the last ones are only counted") {
    const auto most = ProductLedger::most_wrong_products;
    const Catalogue catalogue({.seed = 7, .sellers = 1, .products = static_cast<int>(most) + 1});
    ProductLedger ledger(catalogue);
    ProductEvent event{.version = 1,
                       .data = {{"listing", {{"name", 1}}}, {"detail", {{"stock", 1}}}, {"option", json::object{}}}};
    for (const auto item : catalogue.page(0, 0, most + 1)) {
        event.item = item;
        ledger.apply(event, 1s);
    }
    const auto kept = [&](std::size_t place) {
        return !ledger.wrong_fields(catalogue.page(0, place, 1).front()).empty();
    };

    CHECK(kept(0));
    CHECK(kept(most - 1));
    CHECK_FALSE(kept(most));
    CHECK(ledger.find(catalogue.page(0, most, 1).front())->wrong_fields > 20);
}

TEST_CASE("product server: a listing that came from a search knows two prices less and is right") {
    ProductWorld world;
    auto event = world.event("PRODUCT_CREATED", 1);
    event.at("productData").at("listing").as_object().erase("appPrice");
    event.at("productData").at("listing").as_object().erase("normalPrice");

    world.send(event);

    CHECK(world.items(0).at("equal") == 1);
}

TEST_CASE("product server: once a listing showed an item, a search's share of it is wrong") {
    ProductWorld world;
    world.create_all();
    auto event = world.event("PRODUCT_UPDATED", 2);
    make_partial(event.at("productData").at("listing").as_object());
    world.send(event);
    CHECK(classes(world.items()) == Classes{.equal = 10});

    world.listed.note(world.item);

    CHECK(classes(world.items()) == Classes{.equal = 9, .wrong = 1});
    const auto detail = only_detail(world.items());
    CHECK(detail.at("wrongFields") == 2);
    const auto price = std::to_string(world.catalogue.product(world.item).discount_price);
    CHECK(detail.at("fields").at(0) ==
          json::object{{"path", "/listing/appPrice"}, {"expected", price}, {"found", "nothing"}});
    CHECK(detail.at("fields").at(1).at("path") == "/listing/normalPrice");
    world.update(3);
    CHECK(classes(world.items()) == Classes{.equal = 10});
}

TEST_CASE("product server: what is held though it is no longer on sale is extra since then") {
    ProductWorld world;
    world.create_all();
    world.change(ChangeKind::remove);
    world.now += 3s;

    const auto report = world.items();

    CHECK(report.at("expected") == 9);
    CHECK(classes(report) == Classes{.equal = 9, .extra = 1});
    CHECK(report.at("accuracy") == 1.0);
    CHECK(only_detail(report) == json::object{{"itemNo", world.item}, {"problem", "extra"}, {"ageMs", 3000}});
    world.remove(2);
    CHECK(classes(world.items()) == Classes{.equal = 9});
}

TEST_CASE("product server: what came back is missing until it is created again") {
    ProductWorld world;
    world.create_all();
    world.change(ChangeKind::remove);
    world.remove(2);
    world.now += 3s;
    world.change(ChangeKind::restore);
    world.now += 4s;

    CHECK(only_detail(world.items()) == json::object{{"itemNo", world.item}, {"problem", "missing"}, {"ageMs", 4000}});
    world.create(3);
    CHECK(classes(world.items()) == Classes{.equal = 10});
}
