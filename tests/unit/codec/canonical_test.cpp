#include "codec/canonical.hpp"

#include <boost/json.hpp>
#include <catch2/catch_test_macros.hpp>
#include <random>

using namespace crawler;
using namespace crawler::codec;

namespace {

std::string quoted(std::string_view text) {
    std::string out;
    append_quoted(out, text);
    return out;
}

}  // namespace

TEST_CASE("canonical: Korean, slashes and characters beyond the BMP stay as they are", "[codec][canonical]") {
    CHECK(quoted("디몬트 a/b 🙂") == "\"디몬트 a/b 🙂\"");
}

TEST_CASE("canonical: quotes, backslashes and control characters are escaped the short way", "[codec][canonical]") {
    CHECK(quoted("\"\\\b\f\n\r\t") == R"("\"\\\b\f\n\r\t")");
    CHECK(quoted(std::string_view("\0\x01\x1f\x7f", 4)) == "\"\\u0000\\u0001\\u001f\x7f\"");
}

TEST_CASE("canonical: an empty text is two quotes", "[codec][canonical]") {
    CHECK(quoted("") == R"("")");
}

TEST_CASE("canonical: numbers are plain digits over the whole range", "[codec][canonical]") {
    std::string out;
    append_number(out, INT64_MAX);
    append_number(out, INT64_MIN);
    append_number(out, 0);

    CHECK(out == "9223372036854775807-92233720368547758080");
}

TEST_CASE("canonical: any text comes back from its quoted form, and any JSON reader agrees", "[codec][canonical]") {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        std::string text;
        for (std::size_t i = random() % 200; i > 0; --i) text += static_cast<char>(random() % 128);

        const auto back = unquoted(quoted(text));

        REQUIRE(back);
        CHECK(*back == text);
        CHECK(std::string_view(boost::json::parse(quoted(text)).as_string()) == text);
    }
}

TEST_CASE("canonical: what append_quoted would not have written is not unquoted", "[codec][canonical]") {
    for (const std::string bad : {"", "\"", "abc", "\"abc", "abc\"", R"("\")", R"("\x")", R"("\/")", R"("\u0041")",
                                  R"("\u000A")", R"("\u000a")", R"("\u001")", R"("\u00")", "\"a\nb\"", R"("a"b")"}) {
        CAPTURE(bad);
        const auto text = unquoted(bad);
        REQUIRE_FALSE(text);
        CHECK(text.error().code == Errc::invalid);
    }
}

TEST_CASE("canonical: the writer puts commas and nothing else between values", "[codec][canonical]") {
    std::string out;
    CanonicalWriter writer(out);

    writer.begin_object().key("a").number(-1).key("b").begin_array().text("x{").flag(true).begin_array().end_array();
    writer.begin_object().end_object().end_array().key("c").begin_object().key("a").flag(false).end_object();
    writer.key("d").fragment("[1,2]").end_object();

    CHECK(out == R"({"a":-1,"b":["x{",true,[],{}],"c":{"a":false},"d":[1,2]})");
}

TEST_CASE("canonical: keys are escaped like texts", "[codec][canonical]") {
    std::string out;
    CanonicalWriter writer(out);

    writer.begin_object().key("a\"b").number(1).end_object();

    CHECK(out == R"({"a\"b":1})");
}
