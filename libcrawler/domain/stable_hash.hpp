// A hash that is the same on every machine and in every version: for spreading things out, and for short names of what our
// own operators enter. Where a stranger could choose the texts, Digest is what tells them apart.
#pragma once
#include <cstdint>
#include <string_view>

namespace crawler {

constexpr std::uint64_t stable_hash(std::string_view text, std::uint64_t seed = 0) {
    std::uint64_t hash = 0xcbf29ce484222325ULL ^ seed;  // FNV-1a ...
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9ULL;  // ... and a finaliser, so that near keys land far apart
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebULL;
    return hash ^ (hash >> 31);
}

}  // namespace crawler
