#include "adapters/sql/token_seal.hpp"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "adapters/sql/packed_text.hpp"
#include "adapters/sql/trouble.hpp"

namespace crawler::adapters::sql {
namespace {

constexpr std::string_view version = "v1:";
constexpr std::size_t key_size = 32;
constexpr std::size_t nonce_size = 12;
constexpr std::size_t tag_size = 16;

using Cipher = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

const unsigned char* bytes(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes(std::string& text) {
    return reinterpret_cast<unsigned char*>(text.data());
}

void must(int done) {
    if (done != 1) throw std::runtime_error("AES-256-GCM is not to be had from this OpenSSL");
}

bool is_word(const std::string& name) {
    return !name.empty() && name.size() <= 32 && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
}

Error unreadable(const char* why) {
    return {Errc::invalid, std::string("sealed token: ") + why};
}

}  // namespace

TokenSeal::TokenSeal(TokenKeys keys) : keys_(std::move(keys)) {
    for (const auto& [name, key] : keys_.keys) {
        if (!is_word(name))
            throw std::invalid_argument("the name of a token key must be of a-z, 0-9 and -, at most 32");
        if (key.reveal().size() != key_size)
            throw std::invalid_argument("token key " + name + " must be 32 bytes long");
    }
    const bool has_none = keys_.keys.empty() && keys_.current.empty();
    if (!has_none && !keys_.keys.contains(keys_.current))
        throw std::invalid_argument("there is no token key " + keys_.current);
}

std::string TokenSeal::seal(const Secret& token, std::string_view owner) const {
    if (token.empty()) return {};
    if (keys_.keys.empty()) throw DatabaseError(Trouble::refused, "a token cannot be stored without a key to seal it");
    const auto& text = token.reveal();
    std::string out(nonce_size + text.size() + tag_size, '\0');
    must(RAND_bytes(bytes(out), nonce_size));
    const Cipher cipher(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
    int length = 0;
    must(EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, bytes(keys_.keys.at(keys_.current).reveal()),
                            bytes(out)));
    must(EVP_EncryptUpdate(cipher.get(), nullptr, &length, bytes(owner), static_cast<int>(owner.size())));
    must(EVP_EncryptUpdate(cipher.get(), bytes(out) + nonce_size, &length, bytes(text), static_cast<int>(text.size())));
    must(EVP_EncryptFinal_ex(cipher.get(), bytes(out) + nonce_size + text.size(), &length));
    must(EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_GET_TAG, tag_size, bytes(out) + nonce_size + text.size()));
    return std::string(version) + keys_.current + ":" + to_base64(out);
}

Result<Secret> TokenSeal::open(std::string_view sealed, std::string_view owner) const {
    if (sealed.empty()) return Secret{};
    if (!sealed.starts_with(version)) return unreadable("no version we know");
    sealed.remove_prefix(version.size());
    const auto colon = sealed.find(':');
    const auto key = keys_.keys.find(std::string(sealed.substr(0, colon)));
    if (colon == std::string_view::npos || key == keys_.keys.end()) return unreadable("its key is gone");
    auto in = from_base64(sealed.substr(colon + 1));
    if (!in || in->size() < nonce_size + tag_size) return unreadable("cut off");

    const auto size = in->size() - nonce_size - tag_size;
    std::string text(size, '\0');
    const Cipher cipher(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
    int length = 0;
    must(EVP_DecryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, bytes(key->second.reveal()), bytes(*in)));
    must(EVP_DecryptUpdate(cipher.get(), nullptr, &length, bytes(owner), static_cast<int>(owner.size())));
    must(EVP_DecryptUpdate(cipher.get(), bytes(text), &length, bytes(*in) + nonce_size, static_cast<int>(size)));
    must(EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_SET_TAG, tag_size, bytes(*in) + nonce_size + size));
    if (EVP_DecryptFinal_ex(cipher.get(), bytes(text) + size, &length) != 1) return unreadable("not what was sealed");
    return Secret(std::move(text));
}

bool TokenSeal::is_current(std::string_view sealed) const {
    return sealed.starts_with(std::string(version) + keys_.current + ":");
}

}  // namespace crawler::adapters::sql
