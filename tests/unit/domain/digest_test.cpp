#include "domain/digest.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace crawler;

namespace {
const std::string of_abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
}

TEST_CASE("digest: its hexadecimal form reads back as the same digest") {
    const auto digest = Digest::parse(of_abc);

    REQUIRE(digest);
    CHECK(digest->bytes.front() == 0xba);
    CHECK(digest->bytes.back() == 0xad);
    CHECK(digest->hex() == of_abc);
}

TEST_CASE("digest: upper case digits are read and written in lower case") {
    const auto digest = Digest::parse("BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD");

    REQUIRE(digest);
    CHECK(digest->hex() == of_abc);
}

TEST_CASE("digest: a text that is too short, too long or not hexadecimal is refused with the rule") {
    auto wrong_high = of_abc;
    wrong_high[0] = 'g';
    auto wrong_low = of_abc;
    wrong_low[63] = ' ';
    for (const auto& text : {std::string(), of_abc.substr(1), of_abc + "0", wrong_high, wrong_low}) {
        CAPTURE(text);
        const auto digest = Digest::parse(text);
        REQUIRE_FALSE(digest);
        CHECK(digest.error().code == Errc::invalid);
        CHECK(digest.error().detail == "digest '" + text + "': must be 64 hexadecimal digits");
    }
}

TEST_CASE("digest: two are equal when all bytes are, and order as their hexadecimal forms do") {
    const auto one = *Digest::parse(of_abc);
    auto other = one;
    CHECK(one == other);

    other.bytes[31] = 0xae;

    CHECK(one != other);
    CHECK(one < other);
    CHECK(one.hex() < other.hex());
}
