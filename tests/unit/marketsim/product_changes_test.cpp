// Whether an update names what changed, against what the product server held before it.
#include <catch2/catch_test_macros.hpp>

#include "unit/marketsim/product_world.hpp"

using namespace marketsim;
namespace json = boost::json;

namespace {

struct Named {
    std::int64_t missed = 0;
    std::int64_t invented = 0;

    friend bool operator==(const Named&, const Named&) = default;
};

Named named(const ProductWorld& world) {
    const auto events = world.events();
    const auto count = [&](std::string_view name) { return events.at(name).to_number<std::int64_t>(); };
    return {count("fieldsMissed"), count("fieldsInvented")};
}

// An update to what the catalogue has, that names these fields.
void tell(ProductWorld& world, std::int64_t version, std::initializer_list<std::string_view> paths) {
    auto event = world.event("PRODUCT_UPDATED", version);
    json::array changes;
    for (const auto path : paths) {
        json::error_code error;
        const auto* value = event.at("productData").find_pointer(path, error);
        const bool is_leaf = value != nullptr && (!value->is_object() || value->get_object().empty());
        changes.push_back({{"path", path}, {"before", nullptr}, {"after", is_leaf ? *value : json::value(nullptr)}});
    }
    event["changedFields"] = changes;
    REQUIRE(world.send(event).status == 200);
}

}  // namespace

TEST_CASE("changed fields: an update that names all that changed, and nothing else, is in order") {
    ProductWorld world;
    world.create(1);
    world.change(ChangeKind::description);
    tell(world, 2, {"/detail/descriptionMarkUp"});
    world.change(ChangeKind::images);
    tell(world, 3, {"/detail/images", "/listing/imageUrlList"});

    CHECK(named(world) == Named{});
}

TEST_CASE("changed fields: one that changed and is not named was missed") {
    ProductWorld world;
    world.create(1);
    world.change(ChangeKind::images);

    tell(world, 2, {"/detail/images"});

    CHECK(named(world) == Named{.missed = 1});
}

TEST_CASE("changed fields: one that is named and did not change was invented") {
    ProductWorld world;
    world.create(1);
    world.change(ChangeKind::description);

    tell(world, 2, {"/detail/descriptionMarkUp", "/listing/price"});
    tell(world, 3, {"/detail/nothing"});

    CHECK(named(world) == Named{.invented = 2});
}

TEST_CASE("changed fields: what counts is what the server held, not the change before") {
    ProductWorld world;
    world.create(1);
    world.change(ChangeKind::description);
    world.change(ChangeKind::images);

    tell(world, 2, {"/detail/images", "/listing/imageUrlList"});

    CHECK(named(world) == Named{.missed = 1});
}

TEST_CASE("changed fields: an update that was refused held nothing") {
    ProductWorld world;
    world.create(5);
    world.change(ChangeKind::description);
    CHECK(world.update(4).status == 409);

    tell(world, 6, {"/detail/descriptionMarkUp"});

    CHECK(named(world) == Named{});
}

TEST_CASE("changed fields: a listing that comes whole after a search names the prices that it brings") {
    ProductWorld world;
    auto event = world.event("PRODUCT_CREATED", 1);
    make_partial(event.at("productData").at("listing").as_object());
    world.send(event);

    tell(world, 2, {"/listing/appPrice", "/listing/normalPrice"});

    CHECK(named(world) == Named{});
}

TEST_CASE("changed fields: the first option takes the place of none") {
    ProductWorld world;
    for (const auto item : world.catalogue.page(0, 0, 5)) {
        world.item = item;
        if (world.catalogue.product(item).options.empty()) break;
    }
    while (!world.catalogue.product(world.item).options.empty()) world.change(ChangeKind::options);
    world.create(1);
    world.change(ChangeKind::options);
    const auto product = world.catalogue.product(world.item);
    REQUIRE(product.options.size() == 1);
    const auto place = "/option/" + std::to_string(product.options.front().no);
    const auto color = place + "/color";
    const auto size = place + "/size";
    const auto guide = place + "/sizeGuide";
    const auto stock = place + "/stock";
    auto event = world.event("PRODUCT_UPDATED", 2);
    const auto details = world.event("PRODUCT_CREATED", 2, world.catalogue.revision(world.item) - 1);
    const bool stock_differs = details.at("productData").at("detail") != event.at("productData").at("detail");

    tell(world, 2, {"/option", color, size, guide, stock});

    // Of the detail the stock may have changed as well, which was not named.
    CHECK(named(world) == Named{.missed = stock_differs ? 1 : 0});
}

TEST_CASE("changed fields: of a facet that was wrong nobody knows what changed") {
    ProductWorld world;
    world.create(1);
    auto event = world.event("PRODUCT_UPDATED", 2);
    event.at("productData").at("detail").as_object()["stock"] = 999;
    event["changedFields"] = json::array{json::object{{"path", "/detail/stock"}, {"before", 1}, {"after", 999}}};
    world.send(event);

    tell(world, 3, {"/detail/itemName"});

    CHECK(named(world) == Named{});
}
