#include "domain/text_rules.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

using namespace crawler;

namespace {

constexpr TextLimits roomy{.bytes = 1000, .characters = 1000};

std::string refusal_of(std::string_view text, TextLimits limits = roomy) {
    const auto checked = check_text("name", text, limits);
    if (checked) return "";
    CHECK(checked.error().code == Errc::invalid);
    return checked.error().detail;
}

}  // namespace

TEST_CASE("text: blank is what shows nothing, in every script") {
    CHECK(is_blank(""));
    CHECK(is_blank(" \t\u3000\u200B\u3164"));
    CHECK_FALSE(is_blank(" 가 "));
    CHECK_FALSE(is_blank("\xFF"));
    CHECK(is_utf8("가방 👜"));
    CHECK_FALSE(is_utf8("\xED\xA0\x80"));
}

TEST_CASE("text rules: text of one, two, three and four bytes a character is fine") {
    CHECK(refusal_of("a").empty());
    CHECK(refusal_of("é").empty());
    CHECK(refusal_of("머스트잇").empty());
    CHECK(refusal_of("👜").empty());
    CHECK(refusal_of("\xF4\x8F\xBF\xBF").empty());  // U+10FFFF, the last there is
}

TEST_CASE("text rules: nothing, white space of any script and what shows nothing is blank") {
    const std::string blank = GENERATE("", " ", "\t\r\n ", "\u00A0", "\u1680", "\u2000", "\u200A", "\u2028", "\u202F",
                                       "\u205F", "\u3000", " \u3000\u00A0 ", "\u200B", "\u2060", "\u3164", "\uFEFF");

    CHECK(refusal_of(blank) == "name must not be blank");
}

TEST_CASE("text rules: blanks around or inside a text do not make it blank") {
    CHECK(refusal_of("\u3000가\u3000").empty());
    CHECK(refusal_of("a b").empty());
}

TEST_CASE("text rules: a control character is refused wherever it stands") {
    const std::string text = GENERATE("a\n", "\ta",
                                      "a\x01"
                                      "b",
                                      "a\x1F", "a\x7F", "a\u0080", "a\u009F", "가\u0085");

    CHECK(refusal_of(text) == "name must not have control characters");
    CHECK(refusal_of(std::string("a\0b", 3)) == "name must not have control characters");
}

TEST_CASE("text rules: the neighbours of control characters are none") {
    CHECK(refusal_of("a~").empty());
    CHECK(refusal_of("a\u00A1").empty());
}

TEST_CASE("text rules: what is not UTF-8 is refused") {
    const std::string text = GENERATE("\x80",              // a byte that only follows
                                      "a\xFF",             // never in UTF-8
                                      "\xEA\xB0",          // 가, cut off
                                      "\xC3",              // cut off at once
                                      "\xEA\x30\x80",      // not followed as announced
                                      "\xC0\xAF",          // overlong slash
                                      "\xE0\x80\xAF",      // the same, longer
                                      "\xF0\x80\x80\xAF",  // and longer
                                      "\xED\xA0\x80",      // a surrogate
                                      "\xED\xBF\xBF",      // the last of them
                                      "\xF4\x90\x80\x80",  // beyond Unicode
                                      "\xF8\x88\x80\x80\x80" /* five bytes */);

    CHECK(refusal_of(text) == "name must be valid UTF-8");
}

TEST_CASE("text rules: the characters next to the surrogates are fine") {
    CHECK(refusal_of("\xED\x9F\xBF").empty());
    CHECK(refusal_of("\xEE\x80\x80").empty());
}

TEST_CASE("text rules: exactly the limit of characters is fine, one more is not") {
    const TextLimits limits{.bytes = 100, .characters = 3};

    CHECK(refusal_of("가나다", limits).empty());
    CHECK(refusal_of("가나다라", limits) == "name has 4 characters; at most 3 are allowed");
}

TEST_CASE("text rules: exactly the limit of bytes is fine, one more is not") {
    const TextLimits limits{.bytes = 6, .characters = 6};

    CHECK(refusal_of("가나", limits).empty());
    CHECK(refusal_of("가나a", limits) == "name has 7 bytes; at most 6 are allowed");
}

TEST_CASE("text rules: legible text is the text itself") {
    const std::string text = GENERATE("", "a", "가방 👜", "\xF4\x8F\xBF\xBF", "line\nline");

    CHECK(legible(text, 100) == text);
}

TEST_CASE("text rules: made legible, each byte that belongs to no character becomes U+FFFD") {
    CHECK(legible("\xEA\xB0", 100) == "\uFFFD\uFFFD");
    CHECK(legible("가\xFF나", 100) == "가\uFFFD나");
    CHECK(legible("\xEA가", 100) == "\uFFFD가");
    CHECK(legible("\xED\xA0\x80", 100) == "\uFFFD\uFFFD\uFFFD");
}

TEST_CASE("text rules: legible text ends within the limit, between two characters") {
    CHECK(legible("가나다", 9) == "가나다");
    CHECK(legible("가나다", 8) == "가나");
    CHECK(legible("a가", 3) == "a");
    CHECK(legible("\xFF\xFF", 5) == "\uFFFD");
    CHECK(legible("a", 0).empty());
}
