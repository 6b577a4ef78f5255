// Several processes share the embedded queue: nothing is lost, nothing is delivered twice, and the messages of a group come one after the
// other. Then one of them is killed.
#include <signal.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>

#include "adapters/memory/memory.hpp"
#include "support/clocks.hpp"
#include "support/databases.hpp"
#include "support/process.hpp"
#include "support/run.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

struct Taken {
    int number = 0;
    std::string group;
    std::int64_t received = 0;
    std::int64_t acknowledged = 0;
    bool by_victim = false;
};

struct Storm {
    std::string url;
    int messages = 0;
    std::string visibility = "60";
    TempDir folder;
    std::vector<std::unique_ptr<Process>> takers;

    std::unique_ptr<Process> start(const std::string& role) const {
        return std::make_unique<Process>(
            CRAWLER_BIN_DIR "/queue_storm",
            Process::Options{.arguments = {"--database", url, "--folder", folder.path().string(), "--messages",
                                           std::to_string(messages), "--visibility", visibility, role},
                             .environment = {}});
    }

    std::vector<Taken> taken_by(int pid, bool is_victim) const {
        std::vector<Taken> taken;
        std::ifstream lines(folder.path() / ("taken-" + std::to_string(pid)));
        for (Taken one{.by_victim = is_victim}; lines >> one.number >> one.group >> one.received >> one.acknowledged;)
            taken.push_back(one);
        return taken;
    }
};

void check_end(Process& process) {
    const auto code = process.wait(10min);
    INFO(process.err());
    REQUIRE(code == 0);
}

// By messages: how often each was taken, other than by the victim.
std::map<int, int> counts(const std::vector<Taken>& taken, bool by_victim) {
    std::map<int, int> counts;
    for (const auto& one : taken) {
        if (one.by_victim == by_victim) ++counts[one.number];
    }
    return counts;
}

void check_nothing_lost_or_doubled(const std::vector<Taken>& taken, int messages) {
    const auto ours = counts(taken, false);
    const auto victims = counts(taken, true);
    int lost = 0;
    int doubled = 0;
    for (int number = 0; number < messages; ++number) {
        const auto mine = ours.contains(number) ? ours.at(number) : 0;
        if (mine == 0 && !victims.contains(number)) ++lost;
        if (mine > 1) ++doubled;
    }
    CHECK(lost == 0);
    CHECK(doubled == 0);
}

// Of a group the next message is received after the one before was acknowledged, and it is the next.
void check_groups_in_order(std::vector<Taken> taken) {
    std::ranges::sort(taken, {}, &Taken::received);
    std::map<std::string, Taken> last;
    int overtaken = 0;
    int beside = 0;
    for (const auto& one : taken) {
        if (one.group == "-") continue;
        const auto before = last.find(one.group);
        if (before != last.end()) {
            if (one.number < before->second.number) ++overtaken;
            if (one.received < before->second.acknowledged) ++beside;
        }
        last.insert_or_assign(one.group, one);
    }
    CHECK(overtaken == 0);
    CHECK(beside == 0);
}

ports::QueueDepth depth_of(const std::string& url) {
    const ManualClock clock;
    const auto telemetry = adapters::make_memory_telemetry();
    const auto database = adapters::open_database({.url = url, .min_connections = 1, .max_connections = 1}, *telemetry);
    const auto desk = adapters::make_sql_queue_desk(*database, std::string(ports::task_queue_name), clock);
    const auto depth = run(desk->depth());
    REQUIRE(depth);
    return *depth;
}

// Two processes, one that sends and takes while the other takes: as many messages a second as that makes.
template <class Place>
double move(int messages) {
    const Place place;
    Storm storm{.url = place.url(), .messages = messages};
    const auto began = std::chrono::steady_clock::now();
    const auto sender = storm.start("send");
    for (int i = 0; i < 2; ++i) storm.takers.push_back(storm.start("take"));
    check_end(*sender);
    for (auto& taker : storm.takers) check_end(*taker);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;

    std::vector<Taken> taken;
    for (const auto& taker : storm.takers)
        std::ranges::copy(storm.taken_by(taker->pid(), false), std::back_inserter(taken));
    CHECK(std::ssize(taken) == messages);
    check_nothing_lost_or_doubled(taken, messages);
    check_groups_in_order(std::move(taken));
    CHECK(depth_of(place.url()) == ports::QueueDepth{});
    return messages / took.count();
}

// One of three takers is killed in the middle; what it held comes back when its visibility is over.
template <class Place>
void move_and_kill(int messages) {
    const Place place;
    Storm storm{.url = place.url(), .messages = messages, .visibility = "10"};
    const auto victim = storm.start("take");
    const auto sender = storm.start("send");
    REQUIRE(victim->wait_for_line("200 noted", 60s));
    for (int i = 0; i < 2; ++i) storm.takers.push_back(storm.start("take"));
    victim->signal(SIGKILL);
    REQUIRE(victim->wait(60s) == 128 + SIGKILL);
    check_end(*sender);
    for (auto& taker : storm.takers) check_end(*taker);

    auto taken = storm.taken_by(victim->pid(), true);
    CHECK(taken.size() >= 200);
    for (const auto& taker : storm.takers)
        std::ranges::copy(storm.taken_by(taker->pid(), false), std::back_inserter(taken));
    check_nothing_lost_or_doubled(taken, messages);
    check_groups_in_order(std::move(taken));
    CHECK(depth_of(place.url()) == ports::QueueDepth{});
}

}  // namespace

TEST_CASE("queue storm: three processes on one SQLite file move 20,000 messages, none lost and none twice", "[storm]") {
    move<SqliteFile>(20'000);
}

TEST_CASE("queue storm: three processes on MariaDB move 20,000 messages, none lost and none twice", "[storm]") {
    move<MariaDbSchema>(20'000);
}

TEST_CASE("queue storm: whoever is killed on a SQLite file loses no message", "[storm]") {
    move_and_kill<SqliteFile>(5'000);
}

TEST_CASE("queue storm: whoever is killed on MariaDB loses no message", "[storm]") {
    move_and_kill<MariaDbSchema>(5'000);
}

// By hand, with `make storm`.
TEST_CASE("queue storm: three processes on one SQLite file move 100,000 messages", "[.][full-storm]") {
    WARN("SQLite: " << static_cast<int>(move<SqliteFile>(100'000)) << " messages/s");
}

TEST_CASE("queue storm: three processes on MariaDB move 100,000 messages", "[.][full-storm]") {
    WARN("MariaDB: " << static_cast<int>(move<MariaDbSchema>(100'000)) << " messages/s");
}
