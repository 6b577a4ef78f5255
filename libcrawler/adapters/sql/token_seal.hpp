// Seals tokens before they are stored: AES-256-GCM, bound to the identity they belong to. A sealed text names its key, so that keys
// can be changed while tokens sealed with the old one are still about.
#pragma once
#include <string>
#include <string_view>

#include "adapters/sql/sql.hpp"

namespace crawler::adapters::sql {

// Throws std::invalid_argument where a key is not 32 bytes long, its name is no plain word, or the current one is missing.
class TokenSeal {
  public:
    explicit TokenSeal(TokenKeys keys);

    // Of no keys at all nothing but an empty secret can be sealed: DatabaseError. v1:<key>:<base64 of nonce, text and tag>; of an empty secret an empty text.
    std::string seal(const Secret& token, std::string_view owner) const;
    // invalid: not ours, sealed for another owner, or with a key that is gone.
    Result<Secret> open(std::string_view sealed, std::string_view owner) const;
    // Whether it is sealed with the key that new seals use.
    bool is_current(std::string_view sealed) const;

  private:
    TokenKeys keys_;
};

}  // namespace crawler::adapters::sql
