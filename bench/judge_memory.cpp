// What a million products cost the simulator: the catalogue, and the product server once it has been told of every one of them.
#include <sys/resource.h>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "expectation.hpp"
#include "measure.hpp"
#include "product_server.hpp"

namespace {

using namespace marketsim;
namespace json = boost::json;

constexpr double most_mb = 1024;

double resident_mb() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.rfind("VmRSS:", 0) == 0) return std::stod(line.substr(6)) / 1024;
    }
    return 0;
}

crawler::ports::HttpRequest created(const Catalogue& catalogue, ItemNo item) {
    const auto product = catalogue.product(item);
    json::object content;
    for (const auto facet : facets) content.emplace(to_string(facet), expected_facet(product, facet));
    const json::object event{{"eventType", "PRODUCT_CREATED"},
                             {"itemNo", item},
                             {"sellerId", Catalogue::seller_id(product.seller)},
                             {"version", 1},
                             {"changedFields", json::array{}},
                             {"productData", std::move(content)}};
    return {.method = "POST",
            .url = "",
            .headers = {{"Authorization", "Bearer key"}, {"Idempotency-Key", std::to_string(item)}},
            .body = json::serialize(event)};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::string(argv[1]) == "--help") {
        std::puts(
            "usage: bench_judge_memory\n\nRSS of a catalogue of 1,000,000 products and of a product server that knows "
            "them.");
        return 0;
    }
    constexpr int sellers = 10;
    constexpr int products = 100'000;
    const Catalogue catalogue({.seed = 7, .sellers = sellers, .products = products});
    std::printf("catalogue of %d products: %.0f MB\n", sellers * products, resident_mb());
    const ListedItems listed;
    ProductServer server(catalogue, listed, "key");
    for (int seller = 0; seller < sellers; ++seller) {
        for (const auto item : catalogue.page(seller, 0, products)) {
            const auto path = "/products/" + std::to_string(item);
            if (server.handle(created(catalogue, item), path, SimTime{1}).status != 201) return 1;
        }
        std::printf("  %d products told: %.0f MB\n", (seller + 1) * products, resident_mb());
        std::fflush(stdout);
    }
    const auto report = server.items_report(SimTime{2}, std::nullopt, 10);
    const auto mb = resident_mb();
    if (report.at("equal") != sellers * products) {
        std::printf("only %s are equal\n", json::serialize(report.at("equal")).c_str());
        return 1;
    }
    const auto wanted = "<= " + crawler::bench::with_decimals(most_mb, 0);
    const auto found = crawler::bench::with_decimals(mb, 0);
    return crawler::bench::judge("RSS of a simulator of 1,000,000 products in MB", found, wanted, mb <= most_mb) ? 0
                                                                                                                 : 1;
}
