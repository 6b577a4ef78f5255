#include <openssl/rand.h>

#include <algorithm>
#include <stdexcept>

#include "adapters/sql/packed_text.hpp"
#include "adapters/sql/token_seal.hpp"

namespace crawler::adapters {
namespace {

Error invalid(std::string why) {
    return {Errc::invalid, "token keys: " + std::move(why)};
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// One of them, "name:base64".
Result<> take(std::string_view part, int number, TokenKeys& keys) {
    const auto colon = part.find(':');
    if (part.empty() || colon == std::string_view::npos)
        return invalid("number " + std::to_string(number) + " is not NAME:BASE64");
    const std::string name(trimmed(part.substr(0, colon)));
    auto key = sql::from_base64(trimmed(part.substr(colon + 1)));
    if (!key) return invalid("that of " + name + " is not base64");
    if (!keys.keys.emplace(name, Secret(*std::move(key))).second) return invalid(name + " is there twice");
    if (keys.current.empty()) keys.current = name;
    return {};
}

}  // namespace

Result<TokenKeys> parse_token_keys(std::string_view text) {
    TokenKeys keys;
    if (trimmed(text).empty()) return invalid("there are none; give NAME:BASE64, the key 32 bytes long");
    for (int number = 1; !text.empty(); ++number) {
        const auto comma = std::min(text.find(','), text.size());
        if (auto taken = take(trimmed(text.substr(0, comma)), number, keys); !taken) return taken.error();
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    try {
        const sql::TokenSeal seal(keys);
    } catch (const std::invalid_argument& error) {
        return invalid(error.what());
    }
    return keys;
}

Secret new_token_key(const std::string& name) {
    constexpr int size = 32;
    std::string bytes(size, '\0');
    if (RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), size) != 1)
        throw std::runtime_error("no random bytes are to be had from this OpenSSL");
    return Secret(name + ":" + sql::to_base64(bytes));
}

}  // namespace crawler::adapters
