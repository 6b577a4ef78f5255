// The keys that tokens are sealed with: how an operator gives them, and what they are worth.
#include <catch2/catch_test_macros.hpp>
#include <stdexcept>

#include "adapters/sql/packed_text.hpp"
#include "adapters/sql/token_seal.hpp"
#include "adapters/sql/trouble.hpp"

using namespace crawler;
using adapters::parse_token_keys;
using adapters::TokenKeys;
using adapters::sql::TokenSeal;

namespace {

std::string key_text(char letter, std::size_t size = 32) {
    return adapters::sql::to_base64(std::string(size, letter));
}

std::string refusal(const std::string& text) {
    const auto keys = parse_token_keys(text);
    return keys ? "none" : keys.error().detail;
}

}  // namespace

TEST_CASE("token keys: the first of the list is the current one", "[integration][token_keys]") {
    const auto keys = parse_token_keys(" k2:" + key_text('b') + " , k1:" + key_text('a'));

    REQUIRE(keys);
    CHECK(keys->current == "k2");
    CHECK(keys->keys.at("k1").reveal() == std::string(32, 'a'));
    CHECK(keys->keys.at("k2").reveal() == std::string(32, 'b'));
}

TEST_CASE("token keys: what is wrong is said without saying the key", "[integration][token_keys]") {
    CHECK(refusal("") == "token keys: there are none; give NAME:BASE64, the key 32 bytes long");
    CHECK(refusal("  ") == refusal(""));
    CHECK(refusal(key_text('a')) == "token keys: number 1 is not NAME:BASE64");
    CHECK(refusal("k1:" + key_text('a') + ",,") == "token keys: number 2 is not NAME:BASE64");
    CHECK(refusal("k1:?") == "token keys: that of k1 is not base64");
    CHECK(refusal("k1:" + key_text('a', 31)) == "token keys: token key k1 must be 32 bytes long");
    CHECK(refusal("k1:" + key_text('a') + ",k1:" + key_text('b')) == "token keys: k1 is there twice");
    CHECK(refusal("K 1:" + key_text('a')) ==
          "token keys: the name of a token key must be of a-z, 0-9 and -, at most 32");
}

TEST_CASE("token seal: it knows which seals are of the current key", "[integration][token_keys]") {
    const TokenSeal old(*parse_token_keys("k1:" + key_text('a')));
    const TokenSeal rotated(*parse_token_keys("k2:" + key_text('b') + ",k1:" + key_text('a')));
    const auto sealed = old.seal(Secret("token"), "ua-1");

    CHECK(old.is_current(sealed));
    CHECK_FALSE(rotated.is_current(sealed));
    CHECK(rotated.open(sealed, "ua-1")->reveal() == "token");
    CHECK(rotated.is_current(rotated.seal(Secret("token"), "ua-1")));
}

TEST_CASE("token seal: without any keys nothing is read and nothing is written", "[integration][token_keys]") {
    const TokenSeal sealed_off(TokenKeys{});
    const TokenSeal seal(*parse_token_keys("k1:" + key_text('a')));

    CHECK_FALSE(sealed_off.open(seal.seal(Secret("token"), "ua-1"), "ua-1"));
    CHECK(sealed_off.seal(Secret{}, "ua-1").empty());
    CHECK_THROWS_AS(sealed_off.seal(Secret("token"), "ua-1"), adapters::sql::DatabaseError);
    CHECK_THROWS_AS(TokenSeal(TokenKeys{.current = "k1", .keys = {}}), std::invalid_argument);
}
