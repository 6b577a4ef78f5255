// The pool at a glance, for the API and the metrics.
#pragma once
#include "domain/request_window.hpp"
#include "domain/user_agent.hpp"

namespace crawler {

// Of an empty pool every number is 0.
struct PoolStatus {
    int total = 0;
    int available = 0;
    int suspended = 0;
    int blocked = 0;
    std::int64_t health_sum = 0;
    int health_min = 0;
    int health_max = 0;
    std::int64_t budget_left = 0;  // requests that the AVAILABLE ones may still make in the window of now

    void add(const UserAgent& agent, const RequestWindow& window, TimePoint now);

    double available_rate() const;  // per cent
    double health_average() const;

    friend bool operator==(const PoolStatus&, const PoolStatus&) = default;
};

}  // namespace crawler
