#include "domain/schedule_rule.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "domain/stable_hash.hpp"

namespace crawler {
namespace {

constexpr std::string_view prefix = "mustit-crawler-";

bool is_name_character(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           c == '_';
}

// 128 bits of two hashes: wide enough that no two sellers anybody will ever register share them.
std::string fingerprint(const std::string& text) {
    char digits[33];
    std::snprintf(digits, sizeof digits, "%016" PRIx64 "%016" PRIx64, stable_hash(text, 1), stable_hash(text, 2));
    return digits;
}

}  // namespace

ScheduleRule rule_of(const SellerId& seller, CrawlingInterval interval) {
    return {.name = rule_name(seller), .expression = rate_expression(interval), .input = trigger_input(seller)};
}

std::string rule_name(const SellerId& seller) {
    const auto& id = seller.value();
    auto name = std::string(prefix) + id;
    if (id.front() != '.' && is_rule_name(name)) return name;
    return std::string(prefix) + "." + fingerprint(id);
}

bool is_rule_name(std::string_view text) {
    return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, is_name_character);
}

std::string rate_expression(CrawlingInterval interval) {
    return "rate(" + std::to_string(interval.count()) + (interval.count() == 1 ? " day)" : " days)");
}

Result<CrawlingInterval> parse_rate(std::string_view expression) {
    for (int days = 1;; ++days) {
        const auto interval = CrawlingInterval::days(days);
        if (!interval) break;  // beyond the longest
        if (rate_expression(*interval) == expression) return *interval;
    }
    return Error{Errc::invalid,
                 "'" + std::string(expression) + "' is not a rate of 1 to 30 days, such as rate(3 days)"};
}

std::string trigger_input(const SellerId& seller) {
    std::string escaped;
    for (const char c : seller.value()) {
        if (c == '"' || c == '\\') escaped += '\\';  // all that JSON wants escaped: an id has no control characters
        escaped += c;
    }
    return R"({"sellerId":")" + escaped + R"("})";
}

}  // namespace crawler
