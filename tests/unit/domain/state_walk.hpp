// Walks a state machine: every verb in every state, on the real aggregate, against a grid that the test writes itself.
#pragma once
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>

#include "domain/state_table.hpp"

namespace crawler::test {

// Where a verb leads from a state; what is not in it is refused.
template <class Status, class Verb>
using Grid = std::map<std::pair<Status, Verb>, Status>;

// `in(status)` makes the aggregate in that state, `apply(aggregate, verb)` tries the verb on it.
template <class Table, class Status, class Verb, class In, class Apply>
void walk(const Table& table, const Grid<Status, Verb>& grid, In in, Apply apply) {
    for (const auto& [status, status_name] : names(Status{})) {
        for (const auto& [verb, verb_name] : names(Verb{})) {
            CAPTURE(status_name, verb_name);
            auto thing = in(status);
            REQUIRE(thing.state().status == status);
            const auto before = thing.state();

            const Result<> done = apply(thing, verb);

            const auto cell = grid.find({status, verb});
            if (cell == grid.end()) {
                REQUIRE_FALSE(done);
                CHECK(done.error().code == Errc::conflict);
                CHECK(done.error().detail.find(" is " + std::string(status_name) + "; cannot " +
                                               std::string(verb_name) + " it") != std::string::npos);
                CHECK((thing.state() == before));
            } else {
                INFO((done ? "" : done.error().detail));
                REQUIRE(done);
                CHECK(thing.state().status == cell->second);
            }
            CHECK(table.allows(status, verb) == (cell != grid.end()));
        }
    }
}

// The table has the rows that the grids show, and no other.
template <class Table, class Status, class Verb>
void check_rows(const Table& table, const std::vector<Grid<Status, Verb>>& grids) {
    using Row = std::tuple<std::string_view, std::string_view, std::string_view>;
    std::set<Row> expected, found;
    for (const auto& grid : grids) {
        for (const auto& [cell, to] : grid)
            expected.emplace(to_string(cell.first), to_string(cell.second), to_string(to));
    }
    const auto machine = table.machine();
    for (const auto& arrow : machine.arrows) CHECK(found.emplace(arrow.from, arrow.verb, arrow.to).second);
    CHECK((found == expected));
}

}  // namespace crawler::test
