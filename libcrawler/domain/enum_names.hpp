// One table of names per enum serves database, JSON, logs and YAML. An enum takes part by a constexpr function
// `names(Enum)` beside it that returns the whole table.
#pragma once
#include <array>
#include <optional>
#include <string_view>

namespace crawler {

template <class E>
struct EnumName {
    E value;
    std::string_view name;
};

template <class E>
concept NamedEnum = requires(E e) { names(e).begin(); };

template <NamedEnum E>
constexpr std::string_view to_string(E value) {
    for (const auto& entry : names(E{})) {
        if (entry.value == value) return entry.name;
    }
    return "?";
}

template <NamedEnum E>
constexpr std::optional<E> parse(std::string_view name) {
    for (const auto& entry : names(E{})) {
        if (entry.name == name) return entry.value;
    }
    return std::nullopt;
}

}  // namespace crawler
