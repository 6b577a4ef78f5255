// Signature Version 4: proves to AWS who asks, and that nobody changed the question on its way. The steps are visible, because the
// published vectors check each of them.
#pragma once
#include <optional>
#include <string>

#include "domain/secret.hpp"
#include "domain/time.hpp"
#include "ports/http.hpp"

namespace crawler::adapters::aws {

struct Credentials {
    std::string access_key;
    Secret secret_key;
    Secret session_token;                                // of temporary ones
    std::optional<TimePoint> expires_at = std::nullopt;  // of temporary ones
};

struct SigningScope {
    std::string region;
    std::string service;
    TimePoint now;
};

enum class BodyDigest { implied, as_header };  // as_header: X-Amz-Content-Sha256 is sent and signed

// The request in the one form that both sides can compute. Every header it has is signed, and Host, which is taken from the URL where
// there is none.
std::string canonical_request(const ports::HttpRequest& request);
std::string string_to_sign(const std::string& canonical_request, const SigningScope& scope);
std::string signature(const std::string& string_to_sign, const Secret& secret_key, const SigningScope& scope);

// Adds X-Amz-Date, X-Amz-Security-Token where there is one, and Authorization. Headers that come later are not signed.
void sign(ports::HttpRequest& request, const Credentials& credentials, const SigningScope& scope,
          BodyDigest digest = BodyDigest::implied);

}  // namespace crawler::adapters::aws
