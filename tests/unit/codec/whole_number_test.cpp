#include "codec/whole_number.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

using crawler::codec::whole_number;

TEST_CASE("whole number: plain, grouped and with a fraction of zeros are the same number", "[codec][number]") {
    CHECK(whole_number("621000") == 621000);
    CHECK(whole_number("621,000") == 621000);
    CHECK(whole_number("621000.0") == 621000);
    CHECK(whole_number("621,000.00") == 621000);
}

TEST_CASE("whole number: groups are of three, the first of one to three", "[codec][number]") {
    CHECK(whole_number("1,075,000") == 1075000);
    CHECK(whole_number("12,345") == 12345);
    for (const std::string bad : {",123", "1234,567", "1,23", "1,2345", "1,,234", "1,234,", "12,34,567", "1,234,56"}) {
        CAPTURE(bad);
        CHECK_FALSE(whole_number(bad));
    }
}

TEST_CASE("whole number: zero is one, leading zeros are none", "[codec][number]") {
    CHECK(whole_number("0") == 0);
    CHECK(whole_number("0.0") == 0);
    CHECK_FALSE(whole_number("00"));
    CHECK_FALSE(whole_number("007"));
    CHECK_FALSE(whole_number("0,123"));
}

TEST_CASE("whole number: 63 bits are the limit", "[codec][number]") {
    CHECK(whole_number("4134224619") == 4134224619);
    CHECK(whole_number("9223372036854775807") == INT64_MAX);
    CHECK_FALSE(whole_number("9223372036854775808"));
    CHECK_FALSE(whole_number("18446744073709551616"));
    CHECK_FALSE(whole_number("99999999999999999999999"));
}

TEST_CASE("whole number: what is not clearly a number is none", "[codec][number]") {
    for (const std::string bad :
         {"",  " ",    "-1",     "+1",    " 1",   "1 ",    "1e3",   "6.21e5", "1.5",  "1.",    ".0",
          ".", "무료", "1000원", "₩1000", "0x10", "1_000", "1'000", "NaN",    "１２", "1.0.0", "1.0,0"}) {
        CAPTURE(bad);
        CHECK_FALSE(whole_number(bad));
    }
}
