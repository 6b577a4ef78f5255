// How fast a daemon is ready after exec and how much memory it holds when idle, next to the least that a daemon could be
// (baseline_server), alternating in one run.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "measure.hpp"
#include "support/http_get.hpp"
#include "support/process.hpp"
#include "support/temp_dir.hpp"

namespace {

using namespace crawler::test;
using Clock = std::chrono::steady_clock;

struct Sample {
    double ready_ms = 0;
    double rss_mb = 0;
};

[[noreturn]] void give_up(const std::string& what) {
    std::fprintf(stderr, "bench: %s\n", what.c_str());
    std::exit(1);
}

double resident_mb(int pid) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(status, line);) {
        if (line.rfind("VmRSS:", 0) == 0) return std::stod(line.substr(6)) / 1024;
    }
    give_up("no VmRSS for pid " + std::to_string(pid));
}

using Environment = std::map<std::string, std::string>;

// What a daemon needs to start: a database, and a key where it handles sessions.
Environment surroundings(const std::string& program, const std::string& database) {
    Environment environment{{"CRAWLER__HTTP__LISTEN", "127.0.0.1:0"}, {"CRAWLER__DATABASE__URL", database}};
    if (program != "product-sync")
        environment.emplace("CRAWLER__POOL__TOKEN_KEYS", "bench:MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=");
    return environment;
}

std::string migrated(const std::string& bin, const TempDir& folder) {
    auto url = "sqlite:" + (folder.path() / "crawler.db").string();
    const auto done = run_program(bin + "crawlerctl", {.arguments = {"migrate", "--database", url}, .environment = {}});
    if (done.exit_code != 0) give_up("no database: " + done.err);
    return url;
}

Sample start_once(const std::string& program, const Environment& environment) {
    const auto began = Clock::now();
    Process process(program, {.arguments = {}, .environment = environment});
    const auto line = process.wait_for_line("service_started", std::chrono::seconds{10});
    if (!line) give_up(program + " did not start: " + process.err());
    const auto port = static_cast<std::uint16_t>(std::stoi(line->substr(line->find("\"port\":") + 7)));
    std::optional<Answer> answer;
    do {
        answer = http_get(port, "/readyz");
        if (Clock::now() - began > std::chrono::seconds{10}) give_up(program + " was not ready within 10 s");
    } while (!answer || answer->status != 200);
    Sample sample{.ready_ms = std::chrono::duration<double, std::milli>(Clock::now() - began).count()};
    sample.rss_mb = resident_mb(process.pid());
    process.signal(SIGTERM);
    process.wait(std::chrono::seconds{10});
    return sample;
}

template <class Field>
double median(std::vector<Sample> samples, Field field) {
    std::ranges::sort(samples, {}, field);
    return std::invoke(field, samples[samples.size() / 2]);
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): without a database there is nothing to measure
int main(int argc, char** argv) {
    if (argc == 2 && std::string(argv[1]) == "--help") {
        std::puts(
            "usage: bench_startup [rounds]\n\nMeasures exec -> /readyz 200 and the idle RSS of each daemon against a "
            "minimal "
            "Beast server, each started so many times (15).");
        return 0;
    }
    const int rounds = argc == 2 ? std::max(1, std::atoi(argv[1])) : 15;
    const std::string folder = std::string(argv[0]).substr(0, std::string(argv[0]).rfind('/') + 1);
    const std::vector<std::string> programs{"bench_baseline_server", "trigger", "outbox-relay", "worker",
                                            "product-sync"};
    const TempDir scratch;
    const auto database = migrated(folder, scratch);
    std::vector<std::vector<Sample>> samples(programs.size());
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < programs.size(); ++i)
            samples[i].push_back(start_once(folder + programs[i], surroundings(programs[i], database)));
    }

    std::printf("start to ready and idle memory, median (worst) of %d starts\n", rounds);
    std::printf("%-24s %18s %8s %16s %8s\n", "program", "ready after ms", "x base", "RSS MB", "x base");
    const auto base_ready = median(samples[0], &Sample::ready_ms);
    const auto base_rss = median(samples[0], &Sample::rss_mb);
    double slowest = 0;
    double largest = 0;
    for (std::size_t i = 0; i < programs.size(); ++i) {
        const auto ready = median(samples[i], &Sample::ready_ms);
        const auto rss = median(samples[i], &Sample::rss_mb);
        const auto worst_ready = std::ranges::max(samples[i], {}, &Sample::ready_ms).ready_ms;
        const auto worst_rss = std::ranges::max(samples[i], {}, &Sample::rss_mb).rss_mb;
        std::printf("%-24s %9.1f (%6.1f) %7.2fx %7.1f (%6.1f) %7.2fx\n", programs[i].c_str(), ready, worst_ready,
                    ready / base_ready, rss, worst_rss, rss / base_rss);
        slowest = std::max(slowest, worst_ready);
        largest = std::max(largest, worst_rss);
    }
    using crawler::bench::judge;
    using crawler::bench::with_decimals;
    const bool is_quick =
        judge("ms until a daemon is ready, the worst start", with_decimals(slowest, 1), "<= 100", slowest <= 100);
    const bool is_small =
        judge("RSS of an idle daemon in MB, the worst", with_decimals(largest, 1), "<= 15", largest <= 15);
    return is_quick && is_small ? 0 : 1;
}
