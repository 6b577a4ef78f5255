// Everything about a simulated world that can be chosen, and the YAML it is chosen in.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "catalogue.hpp"
#include "faults.hpp"
#include "rate_judge.hpp"

namespace marketsim {

// "10m price 5%", "90s remove 3 seller_2", "1h add 10": when, what, how many, and whose.
struct PlannedChange {
    SimTime at{};
    Change change;
};
// Throws std::invalid_argument with the rule that was broken.
PlannedChange read_planned_change(const std::string& text, const Catalogue& catalogue);

struct Scenario {
    std::string host = "127.0.0.1";
    std::uint16_t port = 8090;
    std::size_t max_connections = 1024;
    Catalogue::Size size{.seed = 1, .sellers = 3, .products = 1000};
    int time_factor = 1;
    std::chrono::microseconds longest_piece =
        std::chrono::milliseconds{2};  // of long work, in real time; then others are heard
    std::vector<std::string> hosts{"127.0.0.1", "localhost", "m.web.mustit.co.kr", "mustit.co.kr"};
    RateLimits limits;
    SimTime session_lifetime = std::chrono::hours{24};
    std::string product_server_key = "simulated-key";
    FaultSettings faults;
    std::vector<std::string> changes;  // each a PlannedChange
};

// Throws std::runtime_error with one line for each thing that is wrong: file, line, key and rule.
Scenario read_scenario(const std::optional<std::filesystem::path>& file);
// What only the whole shows: the catalogue's size, and that every change can be read. Throws likewise.
void check_scenario(const Scenario& scenario);

// Every key with its default, for --help.
std::string scenario_keys();

}  // namespace marketsim
