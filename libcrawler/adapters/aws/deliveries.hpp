// What was received and is not settled yet, and what was settled lately: a queue that takes a receipt after its delivery is over would let
// us delete what somebody else works on by now.
#pragma once
#include <deque>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "domain/time.hpp"

namespace crawler::adapters::aws {

class Deliveries {
  public:
    void begin(const std::string& receipt, TimePoint until, TimePoint now);
    void prolong(const std::string& receipt, TimePoint until);
    void end(const std::string& receipt);
    // Of a receipt that we never saw it is not known.
    bool is_over(const std::string& receipt, TimePoint now) const;

  private:
    void sweep(TimePoint now);

    static constexpr std::size_t most_remembered = 4096;

    std::unordered_map<std::string, TimePoint> open_;  // until when
    std::unordered_set<std::string> over_;
    std::deque<std::string> over_in_order_;
    std::size_t sweep_at_ = 1024;
};

}  // namespace crawler::adapters::aws
