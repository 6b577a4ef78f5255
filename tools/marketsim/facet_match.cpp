#include "facet_match.hpp"

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

std::uint32_t older_match(const Catalogue& catalogue, ItemNo item, Facet facet, const boost::json::value& found) {
    const auto history = catalogue.history(item);
    auto revision = last_revision_of(catalogue, history, history.size(), changes_content_of(facet));
    while (revision > 0) {
        --revision;
        const auto expected = expected_facet(catalogue.product(item, revision), facet);
        if (differences(facet, expected, found).empty()) return static_cast<std::uint32_t>(revision);
        revision = last_revision_of(catalogue, history, revision, changes_content_of(facet));
    }
    return no_revision;
}

}  // namespace

bool is_coming_or_going(ChangeKind kind) {
    return kind == ChangeKind::add || kind == ChangeKind::remove || kind == ChangeKind::restore;
}

FacetMatch match_facets(const Catalogue& catalogue, ItemNo item, const boost::json::object& data) {
    FacetMatch match;
    const auto now = catalogue.product(item);
    for (const auto facet : facets) {
        const auto& found = data.at(to_string(facet));
        auto wrong = differences(facet, expected_facet(now, facet), found);
        auto& revision = match.revisions[index(facet)];
        if (wrong.empty()) {
            revision = static_cast<std::uint32_t>(catalogue.revision(item));
            continue;
        }
        revision = older_match(catalogue, item, facet, found);
        if (revision == no_revision) std::ranges::move(wrong, std::back_inserter(match.wrong));
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
    auto turn = last_revision_of(catalogue, history, history.size(), changes_content_of(facet));
    if (turn <= revision) return std::nullopt;
    const auto then = expected_facet(catalogue.product(item, revision), facet);
    if (expected_facet(catalogue.product(item), facet) == then) return std::nullopt;
    // Changed and changed back is as it was: only what came after the last such moment is lacking.
    while (expected_facet(catalogue.product(item, turn - 1), facet) != then)
        turn = last_revision_of(catalogue, history, turn - 1, changes_content_of(facet));
    return catalogue.mutations()[history[turn - 1]].at;
}

}  // namespace marketsim
