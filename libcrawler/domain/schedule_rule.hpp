// The rule that fires a seller's crawl: its name, its rate and what it tells the trigger.
#pragma once
#include <string>

#include "domain/seller.hpp"

namespace crawler {

struct ScheduleRule {
    std::string name;        // mustit-crawler-{sellerId}
    std::string expression;  // rate(1 day), rate(3 days)
    std::string input;       // {"sellerId":"..."}
    bool enabled = true;

    friend bool operator==(const ScheduleRule&, const ScheduleRule&) = default;
};

std::string rule_name(const SellerId& seller);
std::string rate_expression(CrawlingInterval interval);

}  // namespace crawler
