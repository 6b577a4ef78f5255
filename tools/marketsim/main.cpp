// marketsim: a simulated marketplace and product server that judge whoever works with them.
#include <CLI/CLI.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <iostream>

#include "adapters/http/http.hpp"
#include "coro/block_on.hpp"
#include "coro/together.hpp"
#include "delivery.hpp"
#include "help.hpp"
#include "simulator.hpp"

namespace {

using namespace marketsim;

struct Flags {
    std::optional<std::filesystem::path> scenario;
    std::optional<std::uint16_t> port;
    std::optional<std::uint64_t> seed;
    std::optional<int> sellers;
    std::optional<int> products;
    std::optional<int> time_factor;
};

void read_flags(CLI::App& app, Flags& flags) {
    app.add_option("--port", flags.port, "Where to listen, on the scenario's address; 0: any free port");
    app.add_option("--seed", flags.seed, "What the catalogue, the tokens and the faults are made from");
    app.add_option("--sellers", flags.sellers, "How many sellers: seller_1, seller_2, ...")
        ->check(CLI::Range(1, 10'000));
    app.add_option("--products", flags.products, "How many products each seller has")->check(CLI::Range(0, 1'000'000));
    app.add_option("--time-factor", flags.time_factor, "How many simulated seconds pass in one; limits scale with it")
        ->check(CLI::Range(1, 100'000));
    app.add_option("--scenario", flags.scenario, "YAML with everything that can be chosen; flags win over it");
}

Scenario chosen(const Flags& flags) {
    auto scenario = read_scenario(flags.scenario);
    if (flags.port) scenario.port = *flags.port;
    if (flags.seed) scenario.size.seed = scenario.faults.seed = *flags.seed;
    if (flags.sellers) scenario.size.sellers = *flags.sellers;
    if (flags.products) scenario.size.products = *flags.products;
    if (flags.time_factor) scenario.time_factor = *flags.time_factor;
    check_scenario(scenario);
    return scenario;
}

// The last word, for the person who watched.
void print_verdict(const Simulator& simulator) {
    const auto audit = simulator.audit(std::nullopt, 0);
    for (const auto* part : {"rate", "requests", "items", "events"})
        std::cout << part << " " << boost::json::serialize(audit.at(part)) << "\n";
}

int run(const Scenario& scenario) {
    boost::asio::io_context io{1};
    const auto began = std::chrono::steady_clock::now();
    auto now = [began, factor = scenario.time_factor] {
        return simulated_time(std::chrono::steady_clock::now() - began, factor);
    };
    Simulator simulator(scenario, now);

    crawler::adapters::HttpServerConfig http;
    http.host = scenario.host;
    http.port = scenario.port;
    http.max_connections = scenario.max_connections;
    http.spoil = taken_off;
    http.on_error = [](const std::exception_ptr& error) {
        try {
            std::rethrow_exception(error);
        } catch (const std::exception& e) {
            std::cerr << "marketsim: " << e.what() << "\n";
        }
    };
    const auto server = crawler::adapters::open_http_server(http, io);

    std::stop_source stop;
    boost::asio::signal_set signals(io, SIGINT, SIGTERM);
    signals.async_wait([&stop](const boost::system::error_code&, int) { stop.request_stop(); });

    std::cout << "marketsim: listening on http://" << scenario.host << ":" << server->port() << " (seed "
              << scenario.size.seed << ", " << scenario.size.sellers << " sellers x " << scenario.size.products
              << " products, time x" << scenario.time_factor << "); the verdict is at /_sim/audit" << std::endl;
    auto handle = [&simulator](HttpRequest request) { return simulator.handle(std::move(request)); };
    auto serving = server->serve(handle, stop.get_token());
    auto changing = simulator.run_script(stop.get_token());
    auto watching = simulator.watch_stalls(stop.get_token());
    auto beside = crawler::coro::together(std::move(changing), std::move(watching));
    crawler::coro::block_on(io, crawler::coro::together(std::move(serving), std::move(beside)));
    print_verdict(simulator);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        CLI::App app{"marketsim: a strict marketplace, a strict product server, and the judge of both.", "marketsim"};
        Flags flags;
        read_flags(app, flags);
        app.footer(marketsim::help_text());
        CLI11_PARSE(app, argc, argv);
        return run(chosen(flags));
    } catch (const std::exception& error) {
        std::cerr << "marketsim: " << error.what() << "\n";
        return 2;
    }
}
