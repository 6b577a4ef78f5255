// The keys that tokens are sealed with. Reached by sql.hpp.
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "domain/result.hpp"
#include "domain/secret.hpp"

namespace crawler::adapters {

// The keys that tokens are sealed with, by name; each is 32 bytes. New seals use the current one. Without any, tokens can be
// dropped, but neither read nor written: enough for an administrator.
struct TokenKeys {
    std::string current;
    std::map<std::string, Secret> keys;
};
// "name:base64,name2:base64", as CRAWLER_TOKEN_KEYS has it; the first is the current one. invalid: says which is no good and why, and
// never what it is.
Result<TokenKeys> parse_token_keys(std::string_view text);
// A new random key, written so.
Secret new_token_key(const std::string& name);

}  // namespace crawler::adapters
