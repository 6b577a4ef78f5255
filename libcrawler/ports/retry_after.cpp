#include "ports/retry_after.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace crawler::ports {
namespace {

std::optional<std::int64_t> whole(std::string_view text) {
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_digits = !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
    if (!is_digits) return std::nullopt;
    return read.ec == std::errc::result_out_of_range ? std::numeric_limits<std::int64_t>::max() : number;
}

// Wed, 18 Nov 2026 09:00:00 GMT: the one form that is still written. What its weekday is does not matter.
std::optional<TimePoint> http_date(std::string_view text) {
    constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    if (text.size() != 29 || text.substr(3, 2) != ", " || text.substr(25) != " GMT") return std::nullopt;
    if (text[7] != ' ' || text[11] != ' ' || text[16] != ' ' || text[19] != ':' || text[22] != ':') return std::nullopt;
    const auto* month = std::ranges::find(months, text.substr(8, 3));
    const auto day = whole(text.substr(5, 2)), year = whole(text.substr(12, 4));
    const auto hour = whole(text.substr(17, 2)), minute = whole(text.substr(20, 2)), second = whole(text.substr(23, 2));
    if (month == months.end() || !day || !year || !hour || !minute || !second) return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year{static_cast<int>(*year)},
                                           std::chrono::month{static_cast<unsigned>(month - months.begin()) + 1},
                                           std::chrono::day{static_cast<unsigned>(*day)}};
    if (!date.ok() || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
    return std::chrono::sys_days{date} + std::chrono::hours{*hour} + std::chrono::minutes{*minute} +
           std::chrono::seconds{*second};
}

}  // namespace

std::optional<TimePoint> date_of(const HttpResponse& answer) {
    return http_date(find_header(answer.headers, "Date").value_or(""));
}

std::optional<Duration> retry_after(const HttpResponse& answer, Duration longest) {
    const auto asked = find_header(answer.headers, "Retry-After");
    if (!asked) return std::nullopt;
    if (const auto seconds = whole(*asked)) {
        const auto most = std::chrono::ceil<std::chrono::seconds>(longest).count();
        return std::min(Duration{std::chrono::seconds{std::min(*seconds, most)}}, longest);
    }
    const auto until = http_date(*asked);
    const auto now = date_of(answer);
    if (!until || !now) return std::nullopt;
    return std::clamp(*until - *now, Duration{0}, longest);
}

}  // namespace crawler::ports
