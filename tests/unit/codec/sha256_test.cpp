#include "codec/sha256.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace crawler;

// The vectors of FIPS 180-2.
TEST_CASE("sha256: the empty text and 'abc' have the digests of the standard", "[codec][sha256]") {
    CHECK(codec::sha256("").hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(codec::sha256("abc").hex() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("sha256: text that comes in pieces has the digest of the whole", "[codec][sha256]") {
    codec::Sha256 hash;

    hash.add("디몬트 ");
    hash.add("");
    hash.add("백팩");

    CHECK(hash.finish() == codec::sha256("디몬트 백팩"));
}

TEST_CASE("sha256: after one digest the next begins anew", "[codec][sha256]") {
    codec::Sha256 hash;
    hash.add("one");
    (void)hash.finish();

    hash.add("abc");

    CHECK(hash.finish() == codec::sha256("abc"));
}
