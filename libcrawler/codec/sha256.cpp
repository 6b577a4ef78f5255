#include "codec/sha256.hpp"

#include <openssl/evp.h>

#include <new>
#include <stdexcept>

namespace crawler::codec {
namespace {

// Only a crypto library without SHA-256 could fail here.
void check(int done) {
    if (done != 1) throw std::runtime_error("SHA-256 is not available");
}

}  // namespace

void Sha256::Free::operator()(evp_md_ctx_st* context) const {
    EVP_MD_CTX_free(context);
}

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
    if (!context_) throw std::bad_alloc();
    check(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr));
}

void Sha256::add(std::string_view text) {
    check(EVP_DigestUpdate(context_.get(), text.data(), text.size()));
}

Digest Sha256::finish() {
    Digest digest;
    check(EVP_DigestFinal_ex(context_.get(), digest.bytes.data(), nullptr));
    check(EVP_DigestInit_ex(context_.get(), nullptr, nullptr));
    return digest;
}

Digest sha256(std::string_view text) {
    Sha256 hash;
    hash.add(text);
    return hash.finish();
}

}  // namespace crawler::codec
