#include "adapters/http/address_filter.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace crawler::adapters {
namespace {

using boost::asio::ip::address;
using boost::asio::ip::address_v4;
using boost::asio::ip::address_v6;

struct Block {
    std::array<std::uint8_t, 4> begin;
    int bits;
};

// Of the IANA registry of special-purpose addresses: those that are not globally reachable.
constexpr std::array not_public{
    Block{{0, 0, 0, 0}, 8},      Block{{10, 0, 0, 0}, 8},     Block{{100, 64, 0, 0}, 10}, Block{{127, 0, 0, 0}, 8},
    Block{{169, 254, 0, 0}, 16}, Block{{172, 16, 0, 0}, 12},  Block{{192, 0, 0, 0}, 24},  Block{{192, 0, 2, 0}, 24},
    Block{{192, 88, 99, 0}, 24}, Block{{192, 168, 0, 0}, 16}, Block{{198, 18, 0, 0}, 15}, Block{{198, 51, 100, 0}, 24},
    Block{{203, 0, 113, 0}, 24}, Block{{224, 0, 0, 0}, 4},    Block{{240, 0, 0, 0}, 4},
};

bool is_in(const address_v4& one, const Block& block) {
    return (one.to_uint() ^ address_v4(block.begin).to_uint()) >> (32 - block.bits) == 0;
}

bool is_public_v4(const address_v4& one) {
    return std::ranges::none_of(not_public, [&](const Block& block) { return is_in(one, block); });
}

using Bytes = address_v6::bytes_type;

bool begins_with(const Bytes& bytes, std::initializer_list<std::uint8_t> prefix) {
    return std::ranges::equal(prefix, std::span(bytes).first(prefix.size()));
}

address_v4 embedded(const Bytes& bytes, std::size_t at) {
    return address_v4({bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]});
}

// Only 2000::/3 has been given out; of it some blocks are for documentation or carry IPv4.
bool is_public_v6(const address_v6& one) {
    const auto bytes = one.to_bytes();
    if (one.is_v4_mapped()) return is_public_v4(embedded(bytes, 12));
    if (begins_with(bytes, {0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0})) return is_public_v4(embedded(bytes, 12));
    if ((bytes[0] & 0xE0U) != 0x20) return false;
    if (begins_with(bytes, {0x20, 0x02})) return is_public_v4(embedded(bytes, 2));
    if (begins_with(bytes, {0x20, 0x01}) && bytes[2] < 0x02) return false;  // Teredo, benchmarks and other protocols
    if (begins_with(bytes, {0x20, 0x01, 0x0D, 0xB8})) return false;
    return !(begins_with(bytes, {0x3F, 0xFF}) && bytes[2] < 0x10);
}

}  // namespace

bool is_public(const address& one) {
    return one.is_v4() ? is_public_v4(one.to_v4()) : is_public_v6(one.to_v6());
}

}  // namespace crawler::adapters
