#include "domain/percent_encoding.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace crawler;

TEST_CASE("percent encoding: letters, digits and -._~ stay, every other byte is escaped") {
    CHECK(percent_encode("AZaz09-._~") == "AZaz09-._~");
    CHECK(percent_encode(" /?&=#+%,:") == "%20%2F%3F%26%3D%23%2B%25%2C%3A");
    CHECK(percent_encode("가") == "%EA%B0%80");
    CHECK(percent_encode(std::string_view("\0\x7F", 2)) == "%00%7F");
    CHECK(percent_encode("").empty());
}

TEST_CASE("percent encoding: decoding once gives every byte back") {
    std::string all;
    for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);

    CHECK(percent_decode(percent_encode(all)) == all);
}

TEST_CASE("percent encoding: escapes are read in both cases, and a plus stays a plus") {
    CHECK(percent_decode("%2f%2F") == "//");
    CHECK(percent_decode("%eA%b0%80") == "가");
    CHECK(percent_decode("a+b") == "a+b");
    CHECK(percent_decode("") == "");
}

TEST_CASE("percent encoding: a percent sign without two hexadecimal digits is not decoded") {
    for (const auto* text : {"%", "a%", "%4", "%4g", "%g4", "%-1", "% 1", "%%41", "%:0", "%/0", "%@0", "%`0", "%0:"}) {
        INFO(text);
        CHECK_FALSE(percent_decode(text));
    }
    CHECK_FALSE(percent_decode(std::string_view("%41").substr(0, 2)));  // nothing behind the text is read
}

TEST_CASE("percent encoding: a URL has neither spaces nor controls nor fragments nor raw bytes") {
    for (const char c : std::string_view("azAZ09-._~:/?[]@!$&'()*+,;=%")) CHECK(is_url_character(c));
    for (const char c : std::string_view(" #\"<>\\^`{|}\n\t\x7F\x80\xFF", 17)) CHECK_FALSE(is_url_character(c));
    CHECK_FALSE(is_url_character('\0'));
}

TEST_CASE("percent encoding: what an encoder could have made looks encoded") {
    CHECK(looks_encoded("%EB%A8%B8%EC%8A%A4%ED%8A%B8%EC%9E%87"));
    CHECK(looks_encoded("stone%20island"));
    CHECK(looks_encoded("a%2Fb?c=d"));
    CHECK(looks_encoded("%C3%A9"));
    CHECK(looks_encoded("%F0%9F%91%9C"));
}

TEST_CASE("percent encoding: what no encoder would have left so does not look encoded") {
    CHECK_FALSE(looks_encoded(""));
    CHECK_FALSE(looks_encoded("dmont"));
    CHECK_FALSE(looks_encoded("100%"));
    CHECK_FALSE(looks_encoded("100%g1"));
    CHECK_FALSE(looks_encoded("30%20 할인"));  // raw bytes beside it
    CHECK_FALSE(looks_encoded("a b%20c"));
    CHECK_FALSE(looks_encoded("a#%20"));
}

TEST_CASE("percent encoding: an escape that is no UTF-8 was meant as it stands") {
    CHECK_FALSE(looks_encoded("50%DC"));         // a lead byte alone
    CHECK_FALSE(looks_encoded("50%DCmore"));     // a lead byte, then no tail
    CHECK_FALSE(looks_encoded("%80"));           // a tail alone
    CHECK_FALSE(looks_encoded("%C1%80"));        // never a lead byte
    CHECK_FALSE(looks_encoded("%F5%80%80%80"));  // nor this one
    CHECK_FALSE(looks_encoded("%E0%A4"));        // cut short
    CHECK_FALSE(looks_encoded("%E0%A4%C0"));     // its last byte is no tail
}
