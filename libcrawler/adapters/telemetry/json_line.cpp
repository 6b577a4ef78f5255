#include "adapters/telemetry/json_line.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <charconv>
#include <type_traits>

namespace crawler::adapters {
namespace {

constexpr std::size_t longest_text = 2000;

bool is_continuation(unsigned char byte) {
    return (byte & 0xC0) == 0x80;
}

// Bytes of the well-formed UTF-8 sequence at the start of `text` (table 3-7 of the Unicode standard), 0 if there is
// none.
std::size_t sequence_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const auto lead = byte(0);
    if (lead < 0x80) return 1;
    if (lead < 0xC2 || lead > 0xF4) return 0;
    const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    // Overlong forms, surrogates and what lies beyond U+10FFFF show in the second byte.
    if (lead == 0xE0 && byte(1) < 0xA0) return 0;
    if (lead == 0xED && byte(1) > 0x9F) return 0;
    if (lead == 0xF0 && byte(1) < 0x90) return 0;
    if (lead == 0xF4 && byte(1) > 0x8F) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if (!is_continuation(static_cast<unsigned char>(byte(i)))) return 0;
    }
    return length;
}

std::string clean(std::string_view text) {
    std::string good;
    good.reserve(std::min(text.size(), longest_text));
    while (!text.empty()) {
        if (good.size() >= longest_text) return good + "\u2026";
        const auto length = sequence_length(text);
        if (length == 0)
            good += "\uFFFD";
        else
            good += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return good;
}

std::string to_json(std::string_view text) {
    return boost::json::serialize(boost::json::string_view(clean(text)));
}
std::string to_json(bool flag) {
    return flag ? "true" : "false";
}
// Boost.JSON writes 0.25 as 2.5E-1, which no human reads.
template <class Number>
    requires std::is_arithmetic_v<Number>
std::string to_json(Number number) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, number).ptr;
    return {text, end};
}

}  // namespace

std::string json_line(const ports::Event& event, TimePoint now, std::string_view service) {
    const auto& spec = spec_of(event);
    std::string line = "{\"ts\":" + to_json(to_rfc3339(now));
    line += ",\"level\":" + to_json(to_string(spec.severity.of(event)));
    line += ",\"service\":" + to_json(service);
    line += ",\"event\":" + to_json(spec.event);
    for (const auto& field : spec.fields) {
        const auto value = field.read(event);
        line += "," + to_json(field.key) + ":" + std::visit([](auto v) { return to_json(v); }, value);
    }
    return line + "}";
}

}  // namespace crawler::adapters
