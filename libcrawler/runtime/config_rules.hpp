// What a configuration value may be. Services say these words in Node::read: between(1s, 10min), non_blank(),
// url({"https"}).
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/time.hpp"

namespace crawler::runtime {

// A size is a plain integer in the config structs; that it is written 64KiB follows from a rule given in Bytes.
struct Bytes {
    std::int64_t count = 0;
};
namespace literals {
constexpr Bytes operator""_B(unsigned long long n) {
    return {static_cast<std::int64_t>(n)};
}
constexpr Bytes operator""_KiB(unsigned long long n) {
    return {static_cast<std::int64_t>(n << 10)};
}
constexpr Bytes operator""_MiB(unsigned long long n) {
    return {static_cast<std::int64_t>(n << 20)};
}
constexpr Bytes operator""_GiB(unsigned long long n) {
    return {static_cast<std::int64_t>(n << 30)};
}
}  // namespace literals

// Numbers have no business without limits: reading one takes a range, both ends allowed.
template <class T>
struct Between {
    T lowest;
    T highest;
};
constexpr Between<std::int64_t> between(std::int64_t lowest, std::int64_t highest) {
    return {lowest, highest};
}
constexpr Between<Duration> between(Duration lowest, Duration highest) {
    return {lowest, highest};
}
constexpr Between<Bytes> between(Bytes lowest, Bytes highest) {
    return {lowest, highest};
}

// What a text must be. `objection` names the fault ("is blank") or is empty; it must not quote the text, which may be
// secret.
struct TextRule {
    std::string rule;
    std::function<std::string_view(const std::string&)> objection;
    bool is_url = false;
};
TextRule any_text();
TextRule non_blank();
TextRule or_empty(TextRule rule);

struct Scheme {
    std::string name;
    bool needs_host = true;

    Scheme(const char* scheme, bool host = true) : name(scheme), needs_host(host) {}
};
TextRule url(std::vector<Scheme> schemes);  // url({"http", "https"}), url({"mysql", {"sqlite", false}})

}  // namespace crawler::runtime
