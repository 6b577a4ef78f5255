#include "codec/fields.hpp"

#include <algorithm>

#include "codec/canonical_cursor.hpp"
#include "codec/whole_number.hpp"

namespace crawler::codec {

Fields::Fields(std::string_view object) {
    CanonicalCursor cursor(object);
    if (!cursor.at_object()) return;
    cursor.enter();
    for (auto key = cursor.next_key({}); key; key = cursor.next_key(key)) members_.push_back({*key, cursor.value()});
    is_good_ = cursor.ok() && cursor.at_end();
}

std::string_view Fields::operator[](std::string_view key) const {
    const auto found = std::ranges::find(members_, key, &Field::key);
    return found == members_.end() ? std::string_view{} : found->value;
}

bool read_text(std::string& out, std::string_view fragment) {
    auto text = unquoted(fragment);
    if (!text) return false;
    out = *std::move(text);
    return true;
}

bool read_number(std::int64_t& out, std::string_view fragment) {
    const auto number = whole_number(fragment);
    if (number) out = *number;
    return number.has_value();
}

bool read_time(TimePoint& out, std::string_view fragment) {
    const auto text = unquoted(fragment);
    const auto time = text ? parse_rfc3339(*text) : Result<TimePoint>(text.error());
    if (time) out = *time;
    return static_cast<bool>(time);
}

}  // namespace crawler::codec
