// Who is next in line, fairly: every lane has its own line, by time, and the lanes take turns, so that a long line never holds
// up a short one.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>

#include "domain/time.hpp"

namespace crawler::adapters {

template <class Id>
class LaneTurns {
  public:
    void insert(const std::string& lane, TimePoint from, const Id& id) { lanes_[lane].emplace(from, id); }
    void erase(const std::string& lane, TimePoint from, const Id& id) {
        const auto line = lanes_.find(lane);
        if (line == lanes_.end()) return;
        line->second.erase({from, id});
        if (line->second.empty()) lanes_.erase(line);
    }

    // The first in the line of the next lane that has somebody whose time has come. Who is not erased is next again.
    std::optional<Id> next(TimePoint now) {
        auto lane = lanes_.upper_bound(last_);
        for (std::size_t looked_at = 0; looked_at < lanes_.size(); ++looked_at, ++lane) {
            if (lane == lanes_.end()) lane = lanes_.begin();
            const auto& [from, id] = *lane->second.begin();
            if (from > now) continue;
            last_ = lane->first;
            return id;
        }
        return std::nullopt;
    }

  private:
    std::map<std::string, std::set<std::pair<TimePoint, Id>>> lanes_;  // none is empty
    std::string last_;
};

}  // namespace crawler::adapters
