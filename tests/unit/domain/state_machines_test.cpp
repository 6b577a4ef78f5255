#include "domain/state_machines.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>

using namespace crawler;

namespace {

using Words = std::set<std::string_view>;

// Every state that verbs lead to from here, this one included.
Words reachable_from(const StateMachine& machine, std::string_view state) {
    Words reached{state};
    for (std::size_t before = 0; before != reached.size();) {
        before = reached.size();
        for (const auto& arrow : machine.arrows) {
            if (reached.contains(arrow.from)) reached.insert(arrow.to);
        }
    }
    return reached;
}

}  // namespace

TEST_CASE("state machines: all nine are there, each once, in the order of the line") {
    std::vector<std::string_view> found;
    for (const auto& machine : state_machines()) found.push_back(machine.name);

    CHECK(found == std::vector<std::string_view>{"Seller", "CrawlingSchedule", "CrawlingScheduleExecution",
                                                 "CrawlerTask", "OutboxEntry", "UserAgent", "Breaker", "CrawledRaw",
                                                 "Product"});
}

TEST_CASE("state machines: every state is reached from the first") {
    for (const auto& machine : state_machines()) {
        CAPTURE(machine.name);
        const auto reached = reachable_from(machine, machine.first);
        CHECK(reached == Words(machine.states.begin(), machine.states.end()));
    }
}

// A black hole is a state that somebody waits in and nobody leaves.
TEST_CASE("state machines: only an end has no way out, and these are the ends") {
    const std::map<std::string_view, Words> ends{
        {"CrawlingScheduleExecution", {"FAILED"}}, {"CrawlerTask", {"COMPLETED"}}, {"OutboxEntry", {"SENT"}}};

    for (const auto& machine : state_machines()) {
        CAPTURE(machine.name);
        Words without_exit;
        for (const auto& state : machine.states) {
            if (reachable_from(machine, state).size() == 1) without_exit.insert(state);
        }
        CHECK(without_exit == (ends.contains(machine.name) ? ends.at(machine.name) : Words{}));
    }
}

TEST_CASE("state machines: no transition is declared twice, and where a verb forks each way says when") {
    for (const auto& machine : state_machines()) {
        std::set<std::tuple<std::string_view, std::string_view, std::string_view>> seen;
        std::map<std::pair<std::string_view, std::string_view>, int> ways;
        for (const auto& arrow : machine.arrows) {
            CAPTURE(machine.name, arrow.from, arrow.verb, arrow.to);
            CHECK(seen.emplace(arrow.from, arrow.verb, arrow.to).second);
            ++ways[{arrow.from, arrow.verb}];
        }
        for (const auto& arrow : machine.arrows) {
            CAPTURE(machine.name, arrow.from, arrow.verb, arrow.to);
            CHECK((ways[{arrow.from, arrow.verb}] == 1 || !arrow.when.empty()));
        }
    }
}
