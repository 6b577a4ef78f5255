#include "domain/time.hpp"

#include <charconv>
#include <cstdio>

namespace crawler {
namespace {

constexpr std::string_view form = "0000-00-00T00:00:00.000000Z";  // a 0 stands for a digit

bool has_form(std::string_view text) {
    if (text.size() != form.size()) return false;
    for (std::size_t i = 0; i < form.size(); ++i) {
        const bool is_digit = text[i] >= '0' && text[i] <= '9';
        if (form[i] == '0' ? !is_digit : text[i] != form[i]) return false;
    }
    return true;
}

int number_at(std::string_view text, std::size_t position, std::size_t digits) {
    int number = 0;
    std::from_chars(text.data() + position, text.data() + position + digits, number);
    return number;
}

}  // namespace

std::string to_rfc3339(TimePoint time) {
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date{day};
    const std::chrono::hh_mm_ss clock{time - day};
    char text[48];
    std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%06dZ", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                  static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
    return text;
}

Result<TimePoint> parse_rfc3339(std::string_view text) {
    const auto refusal =
        Error{Errc::invalid, "time '" + std::string(text) + "': must be like 2026-11-18T09:00:00.000000Z"};
    if (!has_form(text)) return refusal;
    const std::chrono::year_month_day date{std::chrono::year(number_at(text, 0, 4)),
                                           std::chrono::month(static_cast<unsigned>(number_at(text, 5, 2))),
                                           std::chrono::day(static_cast<unsigned>(number_at(text, 8, 2)))};
    const auto hour = number_at(text, 11, 2);
    const auto minute = number_at(text, 14, 2);
    const auto second = number_at(text, 17, 2);
    if (!date.ok() || hour > 23 || minute > 59 || second > 59) return refusal;
    return std::chrono::sys_days{date} + std::chrono::hours{hour} + std::chrono::minutes{minute} +
           std::chrono::seconds{second} + Duration{number_at(text, 20, 6)};
}

}  // namespace crawler
