// SHA-256 of a text, whole or as it comes.
#pragma once
#include <memory>
#include <string_view>

#include "domain/digest.hpp"

struct evp_md_ctx_st;

namespace crawler::codec {

class Sha256 {
  public:
    Sha256();
    void add(std::string_view text);
    Digest finish();  // and begins anew

  private:
    struct Free {
        void operator()(evp_md_ctx_st* context) const;
    };
    std::unique_ptr<evp_md_ctx_st, Free> context_;
};

Digest sha256(std::string_view text);

}  // namespace crawler::codec
