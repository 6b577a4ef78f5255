// A state machine as data: which verb leads from which state to which. The aggregates move by their table and by nothing
// else, the tests walk it, and the diagrams of ARCHITECTURE.md are drawn from it.
#pragma once
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "domain/result.hpp"

namespace crawler {

// Where one verb may lead to several states, `when` says what decides.
template <NamedEnum State, NamedEnum Verb>
struct Transition {
    State from;
    Verb verb;
    State to;
    std::string_view when = {};
};

// A table without its types, for whoever draws or lists it.
struct StateMachine {
    struct Arrow {
        std::string_view from;
        std::string_view verb;
        std::string_view to;
        std::string_view when;
    };
    std::string_view name;
    std::string_view first;
    std::vector<std::string_view> states;
    std::vector<Arrow> arrows;
};

template <NamedEnum State, NamedEnum Verb, std::size_t N>
class StateTable {
  public:
    using Row = Transition<State, Verb>;

    consteval StateTable(std::string_view name, State first, std::array<Row, N> rows)
        : name_(name), first_(first), rows_(rows) {}

    constexpr bool allows(State from, Verb verb) const {
        return std::ranges::any_of(rows_, [&](const Row& row) { return row.from == from && row.verb == verb; });
    }
    constexpr bool allows(State from, Verb verb, State to) const {
        return std::ranges::any_of(
            rows_, [&](const Row& row) { return row.from == from && row.verb == verb && row.to == to; });
    }

    // conflict: the table has no such transition; the state stays as it was.
    Result<> move(State& state, Verb verb, State to, std::string_view id) const {
        if (!allows(state, verb, to)) return refusal(state, verb, id);
        state = to;
        return {};
    }

    // What a verb that does not fit the state is answered with.
    Error refusal(State found, Verb verb, std::string_view id) const {
        std::string text(name_);
        text.append(" ").append(id).append(" is ").append(to_string(found));
        text.append("; cannot ").append(to_string(verb)).append(" it");
        return {Errc::conflict, std::move(text)};
    }

    StateMachine machine() const {
        StateMachine drawn{.name = name_, .first = to_string(first_), .states = {}, .arrows = {}};
        for (const auto& entry : names(State{})) drawn.states.push_back(entry.name);
        for (const auto& row : rows_)
            drawn.arrows.push_back({to_string(row.from), to_string(row.verb), to_string(row.to), row.when});
        return drawn;
    }

  private:
    std::string_view name_;
    State first_;
    std::array<Row, N> rows_;
};

}  // namespace crawler
