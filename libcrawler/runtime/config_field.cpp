#include "runtime/config_field.hpp"

#include <algorithm>
#include <array>
#include <boost/url/ipv4_address.hpp>
#include <boost/url/ipv6_address.hpp>
#include <cctype>
#include <charconv>
#include <limits>
#include <optional>

namespace crawler::runtime {
namespace {

struct Unit {
    std::string_view suffix;
    std::int64_t factor;
};
// Largest first, so that the first exact one is the shortest to read.
constexpr std::array duration_units{Unit{"d", 86'400'000'000}, Unit{"h", 3'600'000'000}, Unit{"m", 60'000'000},
                                    Unit{"s", 1'000'000},      Unit{"ms", 1'000},        Unit{"us", 1}};
constexpr std::array size_units{Unit{"GiB", 1 << 30}, Unit{"MiB", 1 << 20}, Unit{"KiB", 1 << 10}, Unit{"B", 1}};

constexpr std::string_view out_of_range = "is out of range";

// Nothing where the text is no whole number, nor where it is too long for one.
std::optional<std::int64_t> to_integer(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

bool is_digits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::string with_unit(std::int64_t value, const auto& units, std::string_view zero) {
    if (value == 0) return std::string(zero);
    const auto exact = std::find_if(units.begin(), units.end(), [&](const Unit& u) { return value % u.factor == 0; });
    return std::to_string(value / exact->factor) + std::string(exact->suffix);
}
std::string to_text(std::int64_t value) {
    return std::to_string(value);
}
std::string to_text(Duration value) {
    return with_unit(value.count(), duration_units, "0s");
}
std::string to_text(Bytes value) {
    return with_unit(value.count, size_units, "0B");
}

template <class T>
std::string rule_of(const Between<T>& range) {
    return "must be from " + to_text(range.lowest) + " to " + to_text(range.highest);
}

// The number before the unit; a number too large for its unit saturates, so that it is out of any range.
std::optional<std::int64_t> from_unit(std::string_view text, const auto& units) {
    const auto digits = text.substr(0, text.find_first_not_of("0123456789"));
    const auto suffix = text.substr(digits.size());
    const auto unit = std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.suffix == suffix; });
    if (digits.empty() || unit == units.end()) return std::nullopt;

    constexpr auto largest = std::numeric_limits<std::int64_t>::max();
    const auto number = to_integer(digits).value_or(largest);
    return number > largest / unit->factor ? largest : number * unit->factor;
}

struct HostPort {
    std::string host;
    std::uint16_t port = 0;
};
std::optional<HostPort> to_endpoint(std::string_view text) {
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto port_text = text.substr(colon + 1);
    const auto port = is_digits(port_text) ? to_integer(port_text) : std::nullopt;
    if (!port || *port > 65535) return std::nullopt;

    auto host = text.substr(0, colon);
    const bool bracketed = host.starts_with('[') && host.ends_with(']') && host.size() > 2;
    if (bracketed) host = host.substr(1, host.size() - 2);
    const boost::core::string_view address{host.data(), host.size()};
    const bool is_address = bracketed ? boost::urls::parse_ipv6_address(address).has_value()
                                      : boost::urls::parse_ipv4_address(address).has_value();
    if (!is_address) return std::nullopt;
    return HostPort{std::string(host), static_cast<std::uint16_t>(*port)};
}

std::string joined(const auto& words, std::string_view between_words) {
    std::string result;
    for (const auto& word : words) result += (result.empty() ? "" : std::string(between_words)) + std::string(word);
    return result;
}

}  // namespace

Field field(bool& value) {
    const auto assign = [&value](const std::string& text) -> std::string_view {
        if (text != "true" && text != "false") return "is not a truth value";
        value = text == "true";
        return "";
    };
    return {assign, [&value] { return std::string(value ? "true" : "false"); }, "must be true or false"};
}

Field field(std::string& value, TextRule rule) {
    const auto assign = [&value, objection = std::move(rule.objection)](const std::string& text) {
        const auto fault = objection(text);
        if (fault.empty()) value = text;
        return fault;
    };
    const auto visibility = rule.is_url ? Visibility::url : Visibility::open;
    return {assign, [&value] { return value; }, std::move(rule.rule), visibility};
}

Field field(Secret& value, TextRule rule) {
    const auto assign = [&value, objection = std::move(rule.objection)](const std::string& text) {
        const auto fault = objection(text);
        if (fault.empty()) value = Secret{text};
        return fault;
    };
    return {assign, [&value] { return value.reveal(); }, std::move(rule.rule), Visibility::secret};
}

Field integer_field(std::function<std::int64_t()> get, Setter<std::int64_t> set, Between<std::int64_t> range) {
    const auto assign = [set = std::move(set), range](const std::string& text) -> std::string_view {
        const bool is_number = is_digits(text.starts_with('-') ? std::string_view{text}.substr(1) : text);
        if (!is_number) return "is not a whole number";
        const auto number = to_integer(text);
        if (!number || *number < range.lowest || *number > range.highest) return out_of_range;
        set(*number);
        return "";
    };
    return {assign, [get = std::move(get)] { return to_text(get()); }, rule_of(range)};
}

Field size_field(std::function<std::int64_t()> get, Setter<std::int64_t> set, Between<Bytes> range) {
    const auto assign = [set = std::move(set), range](const std::string& text) -> std::string_view {
        const auto size = from_unit(text, size_units);
        if (!size) return "is not a size such as 512B, 64KiB, 10MiB or 1GiB";
        if (*size < range.lowest.count || *size > range.highest.count) return out_of_range;
        set(*size);
        return "";
    };
    return {assign, [get = std::move(get)] { return to_text(Bytes{get()}); }, rule_of(range)};
}

Field duration_field(std::function<Duration()> get, Setter<Duration> set, Between<Duration> range, Duration step) {
    const auto assign = [set = std::move(set), range, step](const std::string& text) -> std::string_view {
        const auto count = from_unit(text, duration_units);
        if (!count) return "is not a duration such as 250ms, 20s, 10m, 2h or 1d";
        const Duration duration{*count};
        if (duration < range.lowest || duration > range.highest) return out_of_range;
        if (duration % step != Duration::zero()) return "is finer than this setting can be";
        set(duration);
        return "";
    };
    return {assign, [get = std::move(get)] { return to_text(get()); }, rule_of(range)};
}

Field enum_field(std::function<std::string_view()> get, std::function<bool(std::string_view)> set,
                 const std::vector<std::string_view>& words) {
    const auto assign = [set = std::move(set)](const std::string& text) -> std::string_view {
        return set(text) ? "" : "is not a known word";
    };
    return {assign, [get = std::move(get)] { return std::string(get()); }, "must be one of " + joined(words, ", ")};
}

Field endpoint_field(std::string& host, std::uint16_t& port) {
    const auto assign = [&host, &port](const std::string& text) -> std::string_view {
        auto endpoint = to_endpoint(text);
        if (!endpoint) return "is not an address and a port from 0 to 65535";
        host = std::move(endpoint->host);
        port = endpoint->port;
        return "";
    };
    const auto current = [&host, &port] {
        const bool bracketed = host.find(':') != std::string::npos;
        return (bracketed ? "[" + host + "]" : host) + ":" + std::to_string(port);
    };
    return {assign, current, "must be written like 127.0.0.1:8080 or [::1]:8080"};
}

}  // namespace crawler::runtime
