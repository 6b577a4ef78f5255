#include "domain/stable_hash.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

using namespace crawler;

// Waits and rule names that are stored already stand on these values.
TEST_CASE("stable hash: its values are pinned") {
    CHECK(stable_hash("") == 0xf52a15e9a9b5e89bULL);
    CHECK(stable_hash("dmont") == 0x85a4edce1cd08982ULL);
    CHECK(stable_hash("디몬트", 1) == 0x77d726dd330698a8ULL);
}

TEST_CASE("stable hash: another seed is another hash") {
    CHECK(stable_hash("dmont", 0) != stable_hash("dmont", 1));
}

TEST_CASE("stable hash: ids that differ in one digit land all over the range") {
    constexpr int ids = 10'000;
    std::set<std::uint64_t> seen;
    std::array<int, 16> shelves{};
    for (int i = 0; i < ids; ++i) {
        const auto hash = stable_hash("0198f2c0-0000-7000-8000-" + std::to_string(i));
        seen.insert(hash);
        ++shelves[hash >> 60];
    }
    CHECK(seen.size() == ids);
    for (const auto count : shelves) {
        CHECK(count > ids / 16 * 8 / 10);
        CHECK(count < ids / 16 * 12 / 10);
    }
}
