// Short stand-ins for what is too long to keep: keys, bodies, contents. The simulator's own, so that it judges nothing by the digests
// of those it judges.
#pragma once
#include <boost/json/value.hpp>
#include <cstdint>
#include <string_view>

namespace marketsim {

struct Fingerprint {
    std::uint64_t first = 0;
    std::uint64_t second = 0;

    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

struct FingerprintHash {
    std::size_t operator()(const Fingerprint& fingerprint) const { return fingerprint.first; }
};

Fingerprint fingerprint_of(std::string_view text);
// The same for two values that are equal, in whatever order their objects name their members.
std::uint64_t content_fingerprint(const boost::json::value& value);

}  // namespace marketsim
