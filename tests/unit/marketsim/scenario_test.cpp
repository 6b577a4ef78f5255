#include "scenario.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "help.hpp"
#include "support/temp_file.hpp"

using namespace marketsim;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

Scenario read(const std::string& yaml) {
    const crawler::test::TempFile file(yaml);
    return read_scenario(file.path());
}

const Catalogue& world() {
    static const Catalogue catalogue({.seed = 1, .sellers = 2, .products = 1});
    return catalogue;
}

}  // namespace

TEST_CASE("scenario: everything can be chosen", "[marketsim]") {
    const auto scenario = read(R"(
listen: 127.0.0.1:9999
seed: 11
sellers: 5
time_factor: 60
limits: {per_hour: 10, spacing: 2s}
session: {lifetime: 10m}
product_server: {api_key: k}
changes: ["10m price 5%", "20m remove 3 seller_2"]
faults:
  silence: 20s
  detail: {latency_median: 200ms, latency_p99: 2s, error_503: 100}
  product_server: {accepted_then_silent: 20}
)");

    CHECK(scenario.port == 9999);
    CHECK(scenario.size.seed == 11);
    CHECK(scenario.faults.seed == 11);
    CHECK(scenario.limits.spacing == 2s);
    CHECK(scenario.changes.size() == 2);
    const auto& detail = scenario.faults.at[static_cast<std::size_t>(Place::detail)];
    CHECK(detail.per_mille[static_cast<std::size_t>(Fault::error_503)] == 100);
    CHECK(detail.latency_p99 == 2s);
}

TEST_CASE("scenario: what is wrong is told with file, line, key and rule", "[marketsim]") {
    const auto [yaml, words] = GENERATE(table<std::string, std::string>({
        {"sellers: 0", "sellers"},
        {"colour: red", "colour"},
        {"faults: {options: {missing_module: 3}}", "missing_module"},
        {"faults: {detail: {error_500: 600, reset: 600}}", "faults.detail: all faults of a place"},
        {"faults: {detail: {latency_p99: 1s}}", "faults.detail.latency_p99: says nothing without"},
        {"faults: {detail: {latency_median: 2s, latency_p99: 1s}}", "latency_p99"},
    }));

    CHECK_THROWS_MATCHES(read(yaml), std::runtime_error, MessageMatches(ContainsSubstring(words)));
}

TEST_CASE("scenario: a change says when, what, how many and whose", "[marketsim]") {
    const auto share = read_planned_change("10m price 5%", world());
    CHECK(share.at == 10min);
    CHECK(share.change.per_mille == 50);
    CHECK_FALSE(share.change.seller);

    const auto three = read_planned_change("250ms remove 3 seller_2", world());
    CHECK(three.at == 250ms);
    CHECK(three.change.kind == ChangeKind::remove);
    CHECK(three.change.count == 3);
    CHECK(three.change.seller == 1);
}

TEST_CASE("scenario: a change that cannot be read names the rule", "[marketsim]") {
    const auto [change, words] = GENERATE(table<std::string, std::string>({
        {"price 5%", "begins with its time"},
        {"10x price 5%", "begins with its time"},
        {"10m colour 5%", "the kind is"},
        {"10m price", "how many"},
        {"10m price 0", "how many"},
        {"10m price 101%", "how many"},
        {"10m price 5% seller_9", "no seller seller_9"},
        {"10m price 5% seller_1 now", "nothing follows"},
    }));

    CHECK_THROWS_MATCHES(read_planned_change(change, world()), std::invalid_argument,
                         MessageMatches(ContainsSubstring(words)));
}

TEST_CASE("scenario: what only the whole shows is checked too", "[marketsim]") {
    Scenario scenario;
    CHECK_NOTHROW(check_scenario(scenario));

    scenario.size = {.seed = 1, .sellers = 10'000, .products = 1000};
    CHECK_THROWS_MATCHES(check_scenario(scenario), std::runtime_error,
                         MessageMatches(ContainsSubstring("at most 2000000")));
    scenario = {};
    scenario.changes = {"1h vanish 3"};
    CHECK_THROWS(check_scenario(scenario));
}

TEST_CASE("scenario: help names every path and every key", "[marketsim]") {
    const auto help = help_text();
    for (const auto* word : {"/_sim/audit", "/_sim/mutate", "/_sim/faults", "/product-server", "per_hour", "lifetime",
                             "accepted_then_silent", "huge_body", "changes"})
        CHECK_THAT(help, ContainsSubstring(word));
}
