#include "adapters/memory/answer_ends.hpp"

#include <utility>

namespace crawler::adapters {

void AnswerEnds::take_facet(ItemNo item, FacetKind kind, const RawId& answer, TimePoint at) {
    ++facets_[answer];
    const auto [known, is_first] = latest_.try_emplace({item, kind}, answer);
    if (is_first) return;
    const auto before = std::exchange(known->second, answer);
    if (--facets_[before] > 0) return;
    facets_.erase(before);
    work_in(before, at);
}

void AnswerEnds::work_in(const RawId& answer, TimePoint at) {
    forget(answer);
    if (facets_.contains(answer)) return;
    ends_.emplace(answer, at);
    ended_.emplace(at, answer);
}

void AnswerEnds::forget(const RawId& answer) {
    const auto end = ends_.find(answer);
    if (end == ends_.end()) return;
    ended_.erase({end->second, answer});
    ends_.erase(end);
}

}  // namespace crawler::adapters
