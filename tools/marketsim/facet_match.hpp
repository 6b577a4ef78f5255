// Which revision of a product something found elsewhere is: the content of its facets, or whether it is on sale at all.
#pragma once
#include <boost/json/object.hpp>

#include "catalogue.hpp"
#include "expectation.hpp"

namespace marketsim {

inline constexpr std::uint32_t no_revision = UINT32_MAX;
using FacetRevisions = std::array<std::uint32_t, 3>;  // by Facet

bool is_coming_or_going(ChangeKind kind);

struct FacetMatch {
    FacetRevisions revisions{no_revision, no_revision, no_revision};  // the newest that is the same
    std::vector<WrongField> wrong;  // of the facets that no revision ever had, against the newest
};
FacetMatch match_facets(const Catalogue& catalogue, ItemNo item, const boost::json::object& data);

// The newest revision at which the product was on sale, or was not.
std::uint32_t newest_presence(const Catalogue& catalogue, ItemNo item, bool on_sale);
// When it last came, or went; the start of time where it never did.
SimTime present_since(const Catalogue& catalogue, ItemNo item);

// When the facet began to differ for good from what it was at that revision; nothing where it is the same now.
std::optional<SimTime> outdated_since(const Catalogue& catalogue, ItemNo item, Facet facet, std::uint32_t revision);

}  // namespace marketsim
