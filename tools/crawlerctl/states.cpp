#include <algorithm>
#include <boost/json.hpp>
#include <iomanip>
#include <iostream>
#include <map>

#include "commands.hpp"
#include "domain/state_machines.hpp"

namespace crawler::ctl {
namespace {

namespace json = boost::json;

std::string label(const StateMachine::Arrow& arrow) {
    std::string text(arrow.verb);
    if (!arrow.when.empty()) text.append(" [").append(arrow.when).append("]");
    return text;
}

bool is_final(const StateMachine& machine, std::string_view state) {
    return std::ranges::none_of(machine.arrows,
                                [&](const auto& arrow) { return arrow.from == state && arrow.to != state; });
}

// As ARCHITECTURE.md shows it. Arrows between the same two states are one line with several labels.
void draw(const StateMachine& machine) {
    std::cout << "### " << machine.name << "\n\n```mermaid\nstateDiagram-v2\n    [*] --> " << machine.first << "\n";
    for (const auto& from : machine.states) {
        for (const auto& to : machine.states) {
            std::string labels;
            for (const auto& arrow : machine.arrows) {
                if (arrow.from == from && arrow.to == to) labels += (labels.empty() ? "" : ", ") + label(arrow);
            }
            if (!labels.empty()) std::cout << "    " << from << " --> " << to << ": " << labels << "\n";
        }
    }
    for (const auto& state : machine.states) {
        if (is_final(machine, state)) std::cout << "    " << state << " --> [*]\n";
    }
    std::cout << "```\n";
}

void print_rows(const StateMachine& machine) {
    std::cout << machine.name << "  (begins " << machine.first << ")\n";
    for (const auto& arrow : machine.arrows) {
        std::cout << "    " << std::left << std::setw(13) << arrow.from << std::setw(32) << arrow.verb << "-> "
                  << std::setw(13) << arrow.to << arrow.when << "\n";
    }
}

json::object as_json(const StateMachine& machine) {
    json::array arrows;
    for (const auto& arrow : machine.arrows)
        arrows.push_back(
            json::object{{"from", arrow.from}, {"verb", arrow.verb}, {"to", arrow.to}, {"when", arrow.when}});
    return {{"name", machine.name},
            {"first", machine.first},
            {"states", json::value_from(machine.states)},
            {"transitions", arrows}};
}

}  // namespace

int show_states(Format format) {
    const auto machines = state_machines();
    if (format == Format::json) {
        json::array list;
        for (const auto& machine : machines) list.push_back(as_json(machine));
        std::cout << list << "\n";
        return 0;
    }
    for (const auto& machine : machines) {
        if (&machine != &machines.front()) std::cout << "\n";
        format == Format::mermaid ? draw(machine) : print_rows(machine);
    }
    return 0;
}

}  // namespace crawler::ctl
