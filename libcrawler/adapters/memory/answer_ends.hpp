// Which answers are some product's latest, and since when the others are not: what retention may take.
#pragma once
#include <map>
#include <set>

#include "domain/facet.hpp"
#include "domain/time.hpp"

namespace crawler::adapters {

class AnswerEnds {
  public:
    // That facet is now known from this answer; the one before, if it was its last facet, has come to its end.
    void take_facet(ItemNo item, FacetKind kind, const RawId& answer, TimePoint at);
    // It was worked in. Unless a facet was taken from it, that was its end.
    void work_in(const RawId& answer, TimePoint at);
    void forget(const RawId& answer);
    // Oldest end first.
    const std::set<std::pair<TimePoint, RawId>>& ended() const { return ended_; }

  private:
    std::map<std::pair<ItemNo, FacetKind>, RawId> latest_;
    std::map<RawId, int> facets_;      // how many are known from it; none has 0
    std::map<RawId, TimePoint> ends_;  // the same as ended_, by answer
    std::set<std::pair<TimePoint, RawId>> ended_;
};

}  // namespace crawler::adapters
