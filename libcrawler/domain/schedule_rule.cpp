#include "domain/schedule_rule.hpp"

namespace crawler {

std::string rule_name(const SellerId& seller) {
    return "mustit-crawler-" + seller.value();
}

std::string rate_expression(CrawlingInterval interval) {
    return "rate(" + std::to_string(interval.count()) + (interval.count() == 1 ? " day)" : " days)");
}

}  // namespace crawler
