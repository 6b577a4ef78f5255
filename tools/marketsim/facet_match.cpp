#include "facet_match.hpp"

#include <algorithm>

namespace marketsim {
namespace {

constexpr std::size_t index(Facet facet) {
    return static_cast<std::size_t>(facet);
}

// The last of a product's first `count` mutations that is like `is_it`, counted from 1: its revision. 0: there is none.
template <class Predicate>
std::size_t last_revision_of(const Catalogue& catalogue, std::span<const std::uint32_t> history, std::size_t count,
                             Predicate is_it) {
    while (count > 0 && !is_it(catalogue.mutations()[history[count - 1]])) --count;
    return count;
}

auto changes_content_of(Facet facet) {
    return [facet](const Mutation& mutation) {
        return mutation.touches[index(facet)] && !is_coming_or_going(mutation.kind);
    };
}

bool comes_or_goes(const Mutation& mutation) {
    return is_coming_or_going(mutation.kind);
}

// The first revision that is looked at: of a product that changed for ever, every look at all of them would take longer than the last.
std::size_t first_in_sight(std::size_t revisions) {
    return revisions - std::min(revisions, revisions_in_sight);
}

// Where along its history a facet is as it was found.
struct Sightings {
    std::uint32_t newest = no_revision;
    std::uint32_t oldest = no_revision;
    std::uint32_t after_floor = no_revision;  // the oldest that is not before the floor

    void note(std::uint32_t revision, std::uint32_t floor) {
        if (oldest == no_revision) oldest = revision;
        if (after_floor == no_revision && revision >= floor) after_floor = revision;
        newest = revision;
    }
};

Sightings look_for(const Catalogue& catalogue, ItemNo item, Facet facet, const boost::json::value& found,
                   std::uint32_t floor) {
    const auto history = catalogue.history(item);
    const auto is_change = changes_content_of(facet);
    const auto first = first_in_sight(history.size());
    Sightings sightings;
    bool is_same = false;
    catalogue.replay(item, first, [&](std::size_t revision, const Product& product) {
        if (revision == first || is_change(catalogue.mutations()[history[revision - 1]]))
            is_same = differences(facet, expected_facet(product, facet), found).empty();
        if (is_same) sightings.note(static_cast<std::uint32_t>(revision), floor);
    });
    return sightings;
}

}  // namespace

FacetMatch match_facets(const Catalogue& catalogue, ItemNo item, const boost::json::object& data,
                        const FacetRevisions& floors) {
    FacetMatch match{.floors = floors};
    const auto history = catalogue.history(item);
    const auto now = catalogue.product(item);
    for (const auto facet : facets) {
        const auto& found = data.at(to_string(facet));
        auto wrong = differences(facet, expected_facet(now, facet), found);
        auto& revision = match.revisions[index(facet)];
        auto& floor = match.floors[index(facet)];
        if (wrong.empty()) revision = static_cast<std::uint32_t>(history.size());
        const auto last_change = last_revision_of(catalogue, history, history.size(), changes_content_of(facet));
        if (last_change <= floor && wrong.empty()) continue;

        const auto sightings = look_for(catalogue, item, facet, found, floor);
        revision = sightings.newest;
        if (revision == no_revision) {
            std::ranges::move(wrong, std::back_inserter(match.wrong));
            continue;
        }
        const bool went_back = sightings.after_floor == no_revision;
        match.went_back = match.went_back || went_back;
        floor = went_back ? sightings.oldest : sightings.after_floor;
    }
    return match;
}

std::uint32_t newest_presence(const Catalogue& catalogue, ItemNo item, bool on_sale) {
    const auto history = catalogue.history(item);
    if (catalogue.is_live(item) == on_sale) return static_cast<std::uint32_t>(history.size());
    const auto turn = last_revision_of(catalogue, history, history.size(), comes_or_goes);
    const bool never_before = turn == 0 || catalogue.mutations()[history[turn - 1]].kind == ChangeKind::add;
    return never_before ? no_revision : static_cast<std::uint32_t>(turn - 1);
}

SimTime present_since(const Catalogue& catalogue, ItemNo item) {
    const auto history = catalogue.history(item);
    const auto turn = last_revision_of(catalogue, history, history.size(), comes_or_goes);
    return turn == 0 ? SimTime{} : catalogue.mutations()[history[turn - 1]].at;
}

std::optional<SimTime> outdated_since(const Catalogue& catalogue, ItemNo item, Facet facet, std::uint32_t revision) {
    const auto history = catalogue.history(item);
    const auto is_change = changes_content_of(facet);
    if (last_revision_of(catalogue, history, history.size(), is_change) <= revision) return std::nullopt;
    const auto then = expected_facet(catalogue.product(item, revision), facet);
    // Changed and changed back is as it was: only what came after the last such moment is lacking.
    const auto first = std::max<std::size_t>(revision, first_in_sight(history.size()));
    std::size_t last_same = revision;
    bool is_same = false;
    catalogue.replay(item, first, [&](std::size_t at, const Product& product) {
        if (at == first || is_change(catalogue.mutations()[history[at - 1]]))
            is_same = expected_facet(product, facet) == then;
        if (is_same) last_same = at;
    });
    if (last_same == history.size()) return std::nullopt;
    while (!is_change(catalogue.mutations()[history[last_same]])) ++last_same;
    return catalogue.mutations()[history[last_same]].at;
}

}  // namespace marketsim
