// One configuration value: how it is written, what is allowed and how it shows. Node::read uses it; the overloads of
// field() are the list of types that a configuration can hold.
#pragma once
#include <cassert>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "domain/enum_names.hpp"
#include "domain/secret.hpp"
#include "domain/time.hpp"
#include "runtime/config_rules.hpp"

namespace crawler::runtime {

// Where a server listens, written 127.0.0.1:8080 or [::1]:0. Any struct with these two members is read the same way.
struct Endpoint {
    std::string host;
    std::uint16_t port = 0;

    friend bool operator==(const Endpoint&, const Endpoint&) = default;
};
template <class T>
concept EndpointLike = requires(T t) {
    { t.host } -> std::same_as<std::string&>;
    { t.port } -> std::same_as<std::uint16_t&>;
};

enum class Visibility { open, url, secret };

struct Field {
    std::function<std::string_view(const std::string& text)> assign;  // empty: done; else why not, and nothing changed
    std::function<std::string()> current;                             // the value as it would be written
    std::string rule;                                                 // "must be from 1 to 1000"; may be empty
    Visibility visibility = Visibility::open;
};

template <class T>
using Setter = std::function<void(T)>;
Field integer_field(std::function<std::int64_t()> get, Setter<std::int64_t> set, Between<std::int64_t> range);
Field size_field(std::function<std::int64_t()> get, Setter<std::int64_t> set, Between<Bytes> range);
Field duration_field(std::function<Duration()> get, Setter<Duration> set, Between<Duration> range, Duration step);
Field enum_field(std::function<std::string_view()> get, std::function<bool(std::string_view)> set,
                 const std::vector<std::string_view>& words);
Field endpoint_field(std::string& host, std::uint16_t& port);

Field field(bool& value);
Field field(std::string& value, TextRule rule = any_text());
Field field(Secret& value, TextRule rule = any_text());
inline Field field(EndpointLike auto& value) {
    return endpoint_field(value.host, value.port);
}

template <std::integral T>
Field field(T& value, Between<std::int64_t> range) {
    assert(std::in_range<T>(range.lowest) && std::in_range<T>(range.highest));
    return integer_field([&value] { return static_cast<std::int64_t>(value); },
                         [&value](std::int64_t v) { value = static_cast<T>(v); }, range);
}

template <std::integral T>
Field field(T& value, Between<Bytes> range) {
    assert(std::in_range<T>(range.lowest.count) && std::in_range<T>(range.highest.count));
    return size_field([&value] { return static_cast<std::int64_t>(value); },
                      [&value](std::int64_t v) { value = static_cast<T>(v); }, range);
}

template <class Rep, class Period>
Field field(std::chrono::duration<Rep, Period>& value, Between<Duration> range) {
    using Unit = std::chrono::duration<Rep, Period>;
    return duration_field([&value] { return Duration{value}; },
                          [&value](Duration v) { value = std::chrono::duration_cast<Unit>(v); }, range, Unit{1});
}

template <NamedEnum E>
Field field(E& value) {
    std::vector<std::string_view> words;
    for (const auto& entry : names(E{})) words.push_back(entry.name);
    const auto set = [&value](std::string_view word) {
        const auto parsed = parse<E>(word);
        if (parsed) value = *parsed;
        return parsed.has_value();
    };
    return enum_field([&value] { return to_string(value); }, set, words);
}

}  // namespace crawler::runtime
