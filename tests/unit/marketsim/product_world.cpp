#include "unit/marketsim/product_world.hpp"

#include <catch2/catch_test_macros.hpp>

namespace marketsim {

namespace json = boost::json;

json::object ProductWorld::event(std::string_view type, std::int64_t version,
                                 std::optional<std::size_t> revision) const {
    const auto product = catalogue.product(item, revision.value_or(catalogue.revision(item)));
    json::object data;
    for (const auto facet : facets) data[to_string(facet)] = expected_facet(product, facet);
    json::array changes;
    if (type == "PRODUCT_UPDATED") {
        const auto& stock = data.at("detail").at("stock");
        changes.push_back(json::object{{"path", "/detail/stock"}, {"before", nullptr}, {"after", stock}});
    }
    return {{"eventType", type},
            {"itemNo", item},
            {"sellerId", Catalogue::seller_id(catalogue.seller_of(item))},
            {"version", version},
            {"changedFields", changes},
            {"productData", data},
            {"reason", "DETAIL_CHANGED"},
            {"occurredAt", "2026-11-18T09:00:00.000000Z"}};
}

crawler::ports::HttpRequest ProductWorld::request(const json::object& event, std::string_view key) {
    const auto& type = event.at("eventType");
    const auto* method = type == "PRODUCT_CREATED" ? "POST" : type == "PRODUCT_UPDATED" ? "PUT" : "DELETE";
    return {.method = method,
            .url = "",
            .headers = {{"authorization", "Bearer secret"}, {"idempotency-key", std::string(key)}},
            .body = json::serialize(event)};
}

Told ProductWorld::send(const crawler::ports::HttpRequest& request, ItemNo to) {
    const auto response = server.handle(request, "/products/" + std::to_string(to), now);
    return {response.status, json::parse(response.body).as_object()};
}

void ProductWorld::create_all() {
    const auto chosen = item;
    for (int seller = 0; seller < catalogue.sellers(); ++seller) {
        for (const auto each : catalogue.page(seller, 0, catalogue.live_count(seller))) {
            item = each;
            REQUIRE(create(1).status == 201);
        }
    }
    item = chosen;
}

std::size_t ProductWorld::change(ChangeKind kind) {
    const auto done = catalogue.apply({.kind = kind, .seller = {}, .items = {item}}, now);
    REQUIRE(done.size() == 1);
    return done.front().number;
}

json::object only_detail(const json::object& report) {
    const auto& details = report.at("details").as_array();
    REQUIRE(details.size() == 1);
    return details.front().as_object();
}

}  // namespace marketsim
