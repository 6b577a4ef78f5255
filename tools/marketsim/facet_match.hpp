// Which revision of a product something found elsewhere is: the content of its facets, or whether it is on sale at all.
#pragma once
#include <boost/json/object.hpp>

#include "catalogue.hpp"
#include "expectation.hpp"

namespace marketsim {

inline constexpr std::uint32_t no_revision = UINT32_MAX;
using FacetRevisions = std::array<std::uint32_t, 3>;  // by Facet

// Content is looked for among so many of the newest revisions; what is older than all of them is nobody's, and wrong.
inline constexpr std::size_t revisions_in_sight = 100;

struct FacetMatch {
    FacetRevisions revisions{no_revision, no_revision, no_revision};  // the newest that is the same
    // The oldest that is the same and not before the floor that was given: a product that was A, B and A again and is found as A may
    // be the first one, so that B can follow. Unchanged where nothing is the same.
    FacetRevisions floors{};
    bool went_back = false;         // a facet is the same as nothing but what is before its floor
    std::vector<WrongField> wrong;  // of the facets that no revision ever had, against the newest
};
FacetMatch match_facets(const Catalogue& catalogue, ItemNo item, const boost::json::object& data,
                        const FacetRevisions& floors);

// The newest revision at which the product was on sale, or was not.
std::uint32_t newest_presence(const Catalogue& catalogue, ItemNo item, bool on_sale);
// When it last came, or went; the start of time where it never did.
SimTime present_since(const Catalogue& catalogue, ItemNo item);

// When the facet began to differ for good from what it was at that revision; nothing where it is the same now. Where it came back to
// it out of sight, the time is that of the first change after it.
std::optional<SimTime> outdated_since(const Catalogue& catalogue, ItemNo item, Facet facet, std::uint32_t revision);

}  // namespace marketsim
