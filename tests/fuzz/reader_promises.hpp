// What a reader of the marketplace's answers promises for any text whatever. A promise that is broken ends the process, which is how
// libFuzzer hears of it.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "adapters/mustit/mustit.hpp"
#include "codec/diff.hpp"
#include "codec/sha256.hpp"
#include "domain/text_rules.hpp"

namespace crawler::fuzz {

inline void require(bool kept, const char* promise) {
    if (kept) return;
    std::fprintf(stderr, "broken promise: %s\n", promise);
    std::abort();
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

// A refusal says what is wrong in words that can be stored and shown.
inline void check(const Error& error) {
    require(error.code == Errc::invalid, "what cannot be read is invalid");
    require(!error.detail.empty() && error.detail.size() < 4096, "a refusal says why, and not at length");
    require(is_utf8(error.detail), "a refusal is text");
}

inline void check(const Facet& facet) {
    require(facet.item > 0, "a facet is about an item");
    require(facet.digest == codec::sha256(facet.canonical), "a digest is that of its text");
    require(static_cast<bool>(codec::diff("", facet.canonical)), "a facet's text is canonical");
}

inline void check(const std::vector<Facet>& facets) {
    for (const auto& facet : facets) check(facet);
}

}  // namespace crawler::fuzz
