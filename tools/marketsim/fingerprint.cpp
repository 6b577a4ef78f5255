#include "fingerprint.hpp"

#include <bit>

namespace marketsim {
namespace {

constexpr std::uint64_t first_seed = 0xcbf29ce484222325;
constexpr std::uint64_t second_seed = 0x6a09e667f3bcc909;

// The finish of splitmix64: FNV alone leaves its high bits poor.
std::uint64_t mixed(std::uint64_t bits) {
    bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31U);
}

std::uint64_t fnv(std::string_view text, std::uint64_t seed) {
    for (const char c : text) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return mixed(seed + text.size());
}

std::uint64_t of_number(std::uint64_t bits, std::uint64_t seed) {
    return mixed(mixed(bits + seed) + seed);
}

std::uint64_t of_array(const boost::json::array& values) {
    std::uint64_t sum = of_number(values.size(), 4);
    for (const auto& value : values) sum = mixed(sum * 31 + content_fingerprint(value));
    return sum;
}

std::uint64_t of_object(const boost::json::object& members) {
    std::uint64_t sum = of_number(members.size(), 5);
    for (const auto& member : members)
        sum += mixed(fnv(member.key(), second_seed) + std::rotl(content_fingerprint(member.value()), 17));
    return mixed(sum);
}

}  // namespace

Fingerprint fingerprint_of(std::string_view text) {
    return {fnv(text, first_seed), fnv(text, second_seed)};
}

std::uint64_t content_fingerprint(const boost::json::value& value) {
    switch (value.kind()) {
        case boost::json::kind::null:
            return of_number(0, 1);
        case boost::json::kind::bool_:
            return of_number(value.get_bool() ? 1 : 0, 2);
        case boost::json::kind::int64:
            return of_number(static_cast<std::uint64_t>(value.get_int64()), 3);
        case boost::json::kind::uint64:
            return of_number(value.get_uint64(), 3);
        case boost::json::kind::double_:
            return of_number(std::bit_cast<std::uint64_t>(value.get_double()), 6);
        case boost::json::kind::string:
            return fnv(value.get_string(), first_seed);
        case boost::json::kind::array:
            return of_array(value.get_array());
        case boost::json::kind::object:
            return of_object(value.get_object());
    }
    return 0;
}

}  // namespace marketsim
