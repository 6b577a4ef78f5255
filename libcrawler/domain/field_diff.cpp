#include "domain/field_diff.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace crawler {

FieldDiff::FieldDiff(std::vector<FieldChange> changes) : changes_(std::move(changes)) {
    std::erase_if(changes_, [](const FieldChange& change) { return change.before == change.after; });
    std::ranges::sort(changes_, {}, &FieldChange::path);
    assert(std::ranges::adjacent_find(changes_, {}, &FieldChange::path) == changes_.end());
}

// Both are sorted by path: one walk over the two.
FieldDiff FieldDiff::then(const FieldDiff& later) const {
    FieldDiff both;
    auto mine = changes_.begin();
    auto theirs = later.changes_.begin();
    while (mine != changes_.end() || theirs != later.changes_.end()) {
        const bool only_mine = theirs == later.changes_.end() || (mine != changes_.end() && mine->path < theirs->path);
        const bool only_theirs = mine == changes_.end() || (!only_mine && theirs->path < mine->path);
        if (only_mine) {
            both.changes_.push_back(*mine++);
        } else if (only_theirs) {
            both.changes_.push_back(*theirs++);
        } else {
            if (mine->before != theirs->after) both.changes_.push_back({mine->path, mine->before, theirs->after});
            ++mine;
            ++theirs;
        }
    }
    return both;
}

FieldDiff FieldDiff::inverse() const {
    auto back = *this;
    for (auto& change : back.changes_) std::swap(change.before, change.after);
    return back;
}

FieldDiff FieldDiff::under(std::string_view path) const {
    auto deeper = *this;
    for (auto& change : deeper.changes_) change.path.insert(0, path);
    return deeper;
}

}  // namespace crawler
