#include "scenario.hpp"

#include <charconv>
#include <numeric>
#include <sstream>

#include "query.hpp"
#include "runtime/config.hpp"

namespace marketsim {
namespace {

using namespace std::chrono_literals;
using namespace crawler::runtime::literals;
using crawler::runtime::between;
using crawler::runtime::non_blank;

void read_place(crawler::runtime::Node parent, Place place, PlaceFaults& faults) {
    auto section = parent.section(to_string(place));
    section.read("latency_median", faults.latency_median, between(0s, 1h));
    section.read("latency_p99", faults.latency_p99, between(0s, 1h));
    section.check("latency_p99", faults.latency_p99 >= faults.latency_median, "must not be less than latency_median");
    section.check("latency_p99", faults.latency_median.count() > 0 || faults.latency_p99.count() == 0,
                  "says nothing without a latency_median above 0");
    for (std::size_t i = 0; i < fault_kinds; ++i) {
        const auto fault = static_cast<Fault>(i);
        if (happens_at(fault, place)) section.read(to_string(fault), faults.per_mille[i], between(0, 1000));
    }
    const auto sum = std::accumulate(faults.per_mille.begin(), faults.per_mille.end(), 0);
    parent.check(to_string(place), sum <= 1000, "all faults of a place together must be at most 1000 of 1000");
}

void read_faults(crawler::runtime::Node section, FaultSettings& faults) {
    section.read("huge_body", faults.huge_body, between(1_KiB, 256_MiB));
    section.read("slow_pause", faults.slow_pause, between(1ms, 1h));
    section.read("silence", faults.silence, between(1ms, 1h));
    for (const auto place : places) {
        if (place != Place::elsewhere) read_place(section, place, faults.at[static_cast<std::size_t>(place)]);
    }
}

void read_all(crawler::runtime::Node root, Scenario& scenario) {
    crawler::runtime::Endpoint listen{scenario.host, scenario.port};
    root.read("listen", listen);
    scenario.host = listen.host;
    scenario.port = listen.port;
    root.read("max_connections", scenario.max_connections, between(1, 100'000));
    root.read("seed", scenario.size.seed, between(0, std::numeric_limits<std::int64_t>::max()));
    root.read("sellers", scenario.size.sellers, between(1, 10'000));
    root.read("products", scenario.size.products, between(0, 1'000'000));
    root.read("time_factor", scenario.time_factor, between(1, 100'000));
    root.read("longest_piece", scenario.longest_piece, between(1ms, 1s));
    root.read("hosts", scenario.hosts, non_blank());
    auto limits = root.section("limits");
    limits.read("per_hour", scenario.limits.per_hour, between(0, 1'000'000));
    limits.read("hour", scenario.limits.hour, between(1s, 24h));
    limits.read("spacing", scenario.limits.spacing, between(0s, 1h));
    auto session = root.section("session");
    session.read("lifetime", scenario.session_lifetime, between(1s, 8760h));
    auto server = root.section("product_server");
    server.read("api_key", scenario.product_server_key, non_blank());
    root.read("changes", scenario.changes, non_blank());
    read_faults(root.section("faults"), scenario.faults);
}

// 250ms, 90s, 10m, 2h
std::optional<SimTime> duration(std::string_view text) {
    const auto unit_at = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto count = number(text.substr(0, unit_at));
    if (!count || *count > 1'000'000'000) return std::nullopt;
    const auto unit = text.substr(unit_at);
    if (unit == "ms") return std::chrono::milliseconds{*count};
    if (unit == "s") return std::chrono::seconds{*count};
    if (unit == "m") return std::chrono::minutes{*count};
    if (unit == "h") return std::chrono::hours{*count};
    return std::nullopt;
}

}  // namespace

PlannedChange read_planned_change(const std::string& text, const Catalogue& catalogue) {
    const auto wrong = [&](std::string_view rule) {
        return std::invalid_argument("change '" + text + "': " + std::string(rule) +
                                     "; write: 10m price 5% [seller_1]");
    };
    std::istringstream in(text);
    std::string when;
    std::string what;
    std::string many;
    std::string whose;
    std::string more;
    in >> when >> what >> many >> whose >> more;
    const auto at = duration(when);
    if (!at) throw wrong("a change begins with its time, as 250ms, 90s, 10m or 2h");
    const auto kind = parse_change_kind(what);
    if (!kind) throw wrong("the kind is price, stock, options, images, description, add, remove or restore");
    PlannedChange planned{.at = *at, .change = {.kind = *kind}};
    const bool is_share = many.ends_with('%');
    const auto count = number(std::string_view(many).substr(0, many.size() - (is_share ? 1 : 0)));
    if (!count || *count == 0 || (is_share && *count > 100))
        throw wrong("how many is a number from 1 on, or 1% to 100%");
    if (is_share) {
        planned.change.per_mille = static_cast<int>(*count) * 10;
    } else {
        planned.change.count = *count;
    }
    if (!whose.empty()) {
        planned.change.seller = catalogue.find_seller(whose);
        if (!planned.change.seller) throw wrong("there is no seller " + whose);
    }
    if (!more.empty()) throw wrong("nothing follows the seller");
    return planned;
}

Scenario read_scenario(const std::optional<std::filesystem::path>& file) {
    Scenario scenario;
    crawler::runtime::Configuration configuration(file, {});
    read_all(configuration.root(), scenario);
    std::string problems;
    for (const auto& problem : configuration.problems()) problems += (problems.empty() ? "" : "\n") + problem;
    if (!problems.empty()) throw std::runtime_error(problems);
    scenario.faults.seed = scenario.size.seed;
    return scenario;
}

void check_scenario(const Scenario& scenario) {
    constexpr std::int64_t most_products = 2'000'000;
    const auto products = static_cast<std::int64_t>(scenario.size.sellers) * scenario.size.products;
    if (products > most_products)
        throw std::runtime_error("sellers x products must be at most " + std::to_string(most_products) + ", not " +
                                 std::to_string(products));
    const Catalogue sellers({.seed = 1, .sellers = scenario.size.sellers, .products = 0});
    for (const auto& change : scenario.changes) read_planned_change(change, sellers);
}

std::string scenario_keys() {
    Scenario scenario;
    crawler::runtime::Configuration configuration(std::nullopt, {});
    read_all(configuration.root(), scenario);
    return configuration.effective();
}

}  // namespace marketsim
