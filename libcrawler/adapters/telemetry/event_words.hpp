// The words in which event_specs.cpp describes events. Each takes a pointer to the member it speaks of, so a
// description can neither name a member that is not there nor make a label of anything but an enum or a bool.
#pragma once
#include <algorithm>
#include <cassert>
#include <concepts>

#include "adapters/telemetry/event_spec.hpp"

namespace crawler::adapters {

inline double seconds(Duration duration) {
    return std::chrono::duration<double>(duration).count();
}

template <class M>
FieldValue value_of(const M& member) {
    if constexpr (NamedEnum<M>)
        return to_string(member);
    else if constexpr (std::same_as<M, bool> || std::same_as<M, std::string>)
        return FieldValue(member);
    else if constexpr (std::signed_integral<M>)
        return std::int64_t{member};
    else if constexpr (std::unsigned_integral<M>)
        return std::uint64_t{member};
    else
        return seconds(member);
}
template <class Tag>
FieldValue value_of(const Id<Tag>& id) {
    return id.value;
}
inline FieldValue value_of(const SellerId& id) {
    return id.value();
}

template <class E, class M>
Field field(std::string_view key, M E::* member) {
    return {key, [member](const ports::Event& event) { return value_of(std::get<E>(event).*member); }};
}
template <class E>
Field error_code(Error E::* member) {
    return {"error_code", [member](const ports::Event& event) { return value_of((std::get<E>(event).*member).code); }};
}
template <class E>
Field error_text(Error E::* member) {
    return {"error", [member](const ports::Event& event) { return value_of((std::get<E>(event).*member).detail); }};
}

// The level where the member has that value, or, without one, where it is neither 0 nor false; `when` says it in words.
template <class E, class M>
Escalation raised(LogLevel level, std::string_view when, M E::* member, M value) {
    return {level, when, [=](const ports::Event& event) { return std::get<E>(event).*member == value; }};
}
template <class E, std::integral M>
Escalation raised(LogLevel level, std::string_view when, M E::* member) {
    return {level, when, [=](const ports::Event& event) { return std::get<E>(event).*member != M{}; }};
}

enum class Truth { no, yes };
constexpr auto names(Truth) {
    return std::to_array<EnumName<Truth>>({{Truth::no, "false"}, {Truth::yes, "true"}});
}

template <NamedEnum E>
constexpr E enumerator(E value) {
    return value;
}
constexpr Truth enumerator(std::same_as<bool> auto flag) {
    return flag ? Truth::yes : Truth::no;
}
inline Errc enumerator(const Error& error) {
    return error.code;
}

template <class E, class M>
Label label(std::string_view name, M E::* member) {
    using Enum = decltype(enumerator(std::declval<const M&>()));
    std::vector<std::string_view> values;
    for (const auto& entry : names(Enum{})) values.push_back(entry.name);
    return {name, values, [member, values](const ports::Event& event) {
                const auto chosen = std::ranges::find(values, to_string(enumerator(std::get<E>(event).*member)));
                assert(chosen != values.end());
                return static_cast<std::size_t>(chosen - values.begin());
            }};
}

inline Reading always(double value) {
    return [value](const ports::Event&, TimePoint) { return value; };
}
inline Reading the_time() {
    return [](const ports::Event&, TimePoint now) { return seconds(now.time_since_epoch()); };
}
template <class E, std::integral M>
Reading of(M E::* member) {
    return [member](const ports::Event& event, TimePoint) { return static_cast<double>(std::get<E>(event).*member); };
}
template <class E>
Reading of(Duration E::* member) {
    return [member](const ports::Event& event, TimePoint) { return seconds(std::get<E>(event).*member); };
}

inline Metric counter(std::string_view name, std::string_view help, std::vector<Label> labels,
                      Reading add = always(1)) {
    return {MetricType::counter, name, help, std::move(labels), std::move(add)};
}
inline Metric gauge(std::string_view name, std::string_view help, std::vector<Label> labels, Reading set) {
    return {MetricType::gauge, name, help, std::move(labels), std::move(set)};
}
inline Metric histogram(std::string_view name, std::string_view help, std::vector<Label> labels, Reading observe) {
    return {MetricType::histogram, name, help, std::move(labels), std::move(observe)};
}

}  // namespace crawler::adapters
