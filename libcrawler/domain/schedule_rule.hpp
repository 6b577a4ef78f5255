// The rule that fires a seller's crawl: its name, its rate and what it tells the trigger. EventBridge keeps it, or the
// embedded scheduler.
#pragma once
#include <string>
#include <string_view>

#include "domain/seller.hpp"

namespace crawler {

struct ScheduleRule {
    std::string name;        // mustit-crawler-{sellerId}
    std::string expression;  // rate(1 day), rate(3 days)
    std::string input;       // {"sellerId":"..."}
    bool enabled = true;

    friend bool operator==(const ScheduleRule&, const ScheduleRule&) = default;
};

// The rule of one seller, whole.
ScheduleRule rule_of(const SellerId& seller, CrawlingInterval interval);

// mustit-crawler-{sellerId} where EventBridge allows that as a name. An id that it does not allow (Korean, too long, or
// starting with the dot that marks this form) becomes mustit-crawler-.{32 hex digits}, always the same for the same id.
std::string rule_name(const SellerId& seller);
// What EventBridge takes as a name: 1 to 64 of A-Z a-z 0-9 . - _
bool is_rule_name(std::string_view text);

std::string rate_expression(CrawlingInterval interval);
// The interval that rate_expression writes so. invalid: every other text; rate(1 days) and rate(2 day) too, as
// EventBridge has it.
Result<CrawlingInterval> parse_rate(std::string_view expression);

// {"sellerId":"..."}: the body of the message that the rule sends to the trigger.
std::string trigger_input(const SellerId& seller);

}  // namespace crawler
