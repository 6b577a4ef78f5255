// The proof on the command line: one pool, one world, as many arrivals as wanted, and the judge's verdict.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>

#include "proof/simulation.hpp"

namespace {

using namespace crawler;
using namespace crawler::proof;

constexpr double least_used_share = 0.97;

struct Options {
    std::string pool = "memory";
    std::int64_t arrivals = 100'000;
    std::uint64_t seed = 1;
    std::vector<std::string> faults;
    std::vector<std::string> sabotages;
    World world;
    int spacing_seconds = 1;
    bool quiet = false;
};

const std::map<std::string, std::function<void(World&)>> sabotages{
    {"guard-off", [](World& world) { world.limits.guard = world.ceiling.guard = Duration{0}; }},
    {"callers-clock", [](World& world) { world.callers_clock = true; }},
};

template <class Named>
std::vector<std::string> names_of(const Named& all) {
    std::vector<std::string> names;
    for (const auto& [name, value] : all) names.push_back(name);
    return names;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : ",") + word;
    return text.empty() ? "no fault" : text;
}

double in_hours(Duration length) {
    return std::chrono::duration<double, std::ratio<3600>>(length).count();
}
double in_seconds(Duration length) {
    return std::chrono::duration<double>(length).count();
}

void tell(const Options& options, const Outcome& outcome, bool used_enough) {
    const auto& found = outcome.identities;
    auto words = options.faults;
    words.insert(words.end(), options.sabotages.begin(), options.sabotages.end());
    if (options.spacing_seconds != 1) words.push_back("spacing " + std::to_string(options.spacing_seconds) + " s");
    std::printf("%s, %s, seed %llu: %lld arrivals of %d identities in %.1f h\n", options.pool.c_str(),
                joined(words).c_str(), static_cast<unsigned long long>(options.seed),
                static_cast<long long>(found.arrivals), options.world.identities, in_hours(outcome.length));
    std::printf("  hours above 80: %lld (the fullest holds %d); closer than 1 s: %lld (the closest %.3f s)\n",
                static_cast<long long>(found.spans_above), found.most_in_a_span,
                static_cast<long long>(found.too_close), in_seconds(found.closest));
    std::printf(
        "  host: the fullest hour holds %d; reserved %lld, never sent %lld, died after %lld, refused %lld times\n",
        outcome.host_hour.most_in_a_span, static_cast<long long>(outcome.reserved),
        static_cast<long long>(outcome.never_sent), static_cast<long long>(outcome.unreported),
        static_cast<long long>(outcome.refusals));
    std::printf("  budget used: %.2f %%%s", 100 * outcome.used_share,
                options.world.faults.withhold_budget() ? " (some of it is withheld by these faults)" : "");
    if (outcome.ledger_proves) std::printf("; the ledger %s it", *outcome.ledger_proves ? "proves" : "DOES NOT PROVE");
    std::printf("\n  %s\n", !outcome.keeps() ? "CAUGHT" : used_enough ? "KEPT" : "KEPT, BUT WASTED");
}

void read(int argc, char** argv, CLI::App& app, Options& options) {
    app.add_option("--pool", options.pool)->check(CLI::IsMember(pool_names()))->capture_default_str();
    app.add_option("--arrivals", options.arrivals)->check(CLI::Range(1'000LL, 100'000'000LL))->capture_default_str();
    app.add_option("--seed", options.seed)->capture_default_str();
    app.add_option("--identities", options.world.identities)->check(CLI::Range(1, 100'000))->capture_default_str();
    app.add_option("--fault", options.faults, "What goes wrong; may be repeated")
        ->check(CLI::IsMember(names_of(fault_names())));
    app.add_option("--sabotage", options.sabotages, "What the pool is given falsely; the judge should catch it")
        ->check(CLI::IsMember(names_of(sabotages)));
    app.add_option("--spacing-seconds", options.spacing_seconds,
                   "What the pool keeps between two requests of an identity")
        ->check(CLI::Range(0, 3600))
        ->capture_default_str();
    app.add_flag("--quiet", options.quiet, "No progress on standard error");
    app.parse(argc, argv);
    for (const auto& [name, fault] : fault_names()) {
        if (std::ranges::find(options.faults, name) != options.faults.end()) options.world.faults.*fault = true;
    }
    for (const auto& name : options.sabotages) sabotages.at(name)(options.world);
    options.world.limits.spacing = std::chrono::seconds{options.spacing_seconds};
    options.world.ceiling.per_hour = options.world.limits.limit * options.world.identities;
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): without a pool there is nothing to prove
int main(int argc, char** argv) {
    Options options;
    CLI::App app{
        "Simulates a fleet in virtual time and judges the identity pool by when requests arrive at the marketplace.\n"
        "Exit codes: 0 kept, and where no fault withholds budget at least 97 % of it used; 1 caught; 2 wasted; 64 "
        "usage."};
    try {
        read(argc, argv, app, options);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 64;
    }
    const auto progress = [&](std::int64_t arrived) {
        if (!options.quiet) std::fprintf(stderr, "  %3d %%\r", static_cast<int>(100 * arrived / options.arrivals));
    };
    const auto outcome = Simulation(options.pool, options.world, options.seed).go(options.arrivals, progress);
    const bool used_enough = options.world.faults.withhold_budget() || outcome.used_share >= least_used_share;
    tell(options, outcome, used_enough);
    if (!outcome.keeps()) return 1;
    return used_enough ? 0 : 2;
}
