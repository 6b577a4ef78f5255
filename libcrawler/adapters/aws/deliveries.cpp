#include "adapters/aws/deliveries.hpp"

#include <algorithm>
#include <vector>

namespace crawler::adapters::aws {

void Deliveries::begin(const std::string& receipt, TimePoint until, TimePoint now) {
    if (open_.size() >= sweep_at_) sweep(now);
    open_.insert_or_assign(receipt, until);
}

void Deliveries::prolong(const std::string& receipt, TimePoint until) {
    const auto found = open_.find(receipt);
    if (found != open_.end()) found->second = until;
}

void Deliveries::end(const std::string& receipt) {
    open_.erase(receipt);
    if (!over_.insert(receipt).second) return;
    over_in_order_.push_back(receipt);
    if (over_in_order_.size() <= most_remembered) return;
    over_.erase(over_in_order_.front());
    over_in_order_.pop_front();
}

bool Deliveries::is_over(const std::string& receipt, TimePoint now) const {
    if (over_.contains(receipt)) return true;
    const auto found = open_.find(receipt);
    return found != open_.end() && found->second <= now;
}

// Those that nobody settled in time.
void Deliveries::sweep(TimePoint now) {
    std::vector<std::string> late;
    for (const auto& [receipt, until] : open_) {
        if (until <= now) late.push_back(receipt);
    }
    for (const auto& receipt : late) end(receipt);
    sweep_at_ = std::max<std::size_t>(1024, 2 * open_.size());
}

}  // namespace crawler::adapters::aws
