// The deduplication ids of the last five minutes, whatever became of their messages. Used by the memory queue.
#pragma once
#include <deque>
#include <set>
#include <string>

#include "domain/time.hpp"

namespace crawler::adapters {

inline constexpr auto deduplication_interval = std::chrono::minutes{5};

class RecentIds {
  public:
    // False: it is there already.
    bool add(const std::string& id, TimePoint now) {
        for (; !by_age_.empty() && by_age_.front().first <= now; by_age_.pop_front())
            ids_.erase(by_age_.front().second);
        if (!ids_.insert(id).second) return false;
        by_age_.emplace_back(now + deduplication_interval, id);
        return true;
    }

  private:
    std::deque<std::pair<TimePoint, std::string>> by_age_;
    std::set<std::string> ids_;
};

}  // namespace crawler::adapters
