#include "codec/canonical_cursor.hpp"

#include <cstring>

namespace crawler::codec {
namespace {

// What numbers, true, false and null are made of.
bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-';
}

}  // namespace

bool CanonicalCursor::take(char expected) {
    if (next() != expected) return false;
    ++at_;
    return true;
}

void CanonicalCursor::pass_text() {
    const char* const begin = text_.data();
    const char* const end = begin + text_.size();
    const char* p = begin + at_ + 1;
    for (;;) {
        const auto* quote = static_cast<const char*>(std::memchr(p, '"', static_cast<std::size_t>(end - p)));
        if (quote == nullptr) return fail();
        // It closes the text unless an odd number of backslashes stands before it.
        const char* slash = quote;
        while (slash > p && slash[-1] == '\\') --slash;
        p = quote + 1;
        if ((quote - slash) % 2 == 0) break;
    }
    at_ = static_cast<std::size_t>(p - begin);
}

void CanonicalCursor::pass_word() {
    const auto begin = at_;
    while (is_word(next())) ++at_;
    if (at_ == begin) fail();
}

// Counts brackets; which of them closes which shows only to those who step inside.
void CanonicalCursor::pass_nested() {
    std::size_t depth = 0;
    do {
        switch (next()) {
            case '"':
                pass_text();
                continue;
            case '{':
            case '[':
                ++depth;
                break;
            case '}':
            case ']':
                --depth;
                break;
            case '\0':
                return fail();
            default:
                break;
        }
        ++at_;
    } while (ok_ && depth > 0);
}

std::string_view CanonicalCursor::value() {
    const auto begin = at_;
    if (next() == '"') {
        pass_text();
    } else if (at_object() || at_array()) {
        pass_nested();
    } else {
        pass_word();
    }
    return ok_ ? text_.substr(begin, at_ - begin) : std::string_view{};
}

void CanonicalCursor::enter() {
    if (!take('{') && !take('[')) fail();
}

std::optional<std::string_view> CanonicalCursor::next_key(std::optional<std::string_view> previous) {
    if (take('}')) return std::nullopt;
    if (previous && !take(',')) fail();
    if (next() != '"') fail();
    const auto quoted = value();
    if (!ok_ || !take(':')) {
        fail();
        return std::nullopt;
    }
    const auto key = quoted.substr(1, quoted.size() - 2);
    if (previous && key <= *previous) {
        fail();
        return std::nullopt;
    }
    return key;
}

bool CanonicalCursor::next_element(bool first) {
    if (take(']')) return false;
    if (!first && !take(',')) fail();
    return ok_;
}

}  // namespace crawler::codec
