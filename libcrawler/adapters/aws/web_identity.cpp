// Credentials of a role, for a token that somebody else vouches for.
#include "adapters/aws/answer.hpp"
#include "adapters/aws/credential_sources.hpp"
#include "adapters/aws/service.hpp"
#include "domain/percent_encoding.hpp"

namespace crawler::adapters::aws {
namespace {

std::string trimmed(std::string text) {
    const auto end = text.find_last_not_of(" \r\n\t");
    text.erase(end == std::string::npos ? 0 : end + 1);
    return text;
}

// The times of STS have no fraction.
std::optional<TimePoint> expiry_of(const std::string& xml) {
    auto text = xml_text(xml, "Expiration");
    if (const auto end = text.find_first_of(".Z"); end != std::string::npos) text.erase(end);
    const auto time = parse_rfc3339(text + ".000000Z");
    return time ? std::optional(*time) : std::nullopt;
}

}  // namespace

// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): the account outlives its questions
Async<Found> assume_role(const Surroundings& s, WebIdentity identity) {
    const auto token = read_file(identity.token_file);
    if (!token) co_return Error{Errc::blocked, "the token file " + token.error().detail};
    const auto session = identity.session_name.empty() ? std::string("crawler") : identity.session_name;
    ports::HttpRequest request{
        .method = "POST", .url = endpoint_of(s.config, s.environment, "sts") + "/", .headers = {}, .body = {}};
    request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
    request.body = "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=" + percent_encode(identity.role) +
                   "&RoleSessionName=" + percent_encode(session) +
                   "&WebIdentityToken=" + percent_encode(trimmed(*token));
    const auto answer = co_await ask(s, std::move(request));
    if (!answer) co_return answer.error();
    if (answer->status != 200)
        co_return refusal_of(*answer).as_error("sts AssumeRoleWithWebIdentity for " + identity.role);

    Credentials credentials{.access_key = xml_text(answer->body, "AccessKeyId"),
                            .secret_key = Secret(xml_text(answer->body, "SecretAccessKey")),
                            .session_token = Secret(xml_text(answer->body, "SessionToken")),
                            .expires_at = expiry_of(answer->body)};
    if (credentials.access_key.empty() || credentials.secret_key.empty())
        co_return Error{Errc::unavailable, "sts AssumeRoleWithWebIdentity: the answer has no credentials"};
    co_return credentials;
}

// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): the account outlives its questions
Async<Found> look_for_web_identity(const Surroundings& s) {
    WebIdentity identity{.role = s.variable("AWS_ROLE_ARN"),
                         .session_name = s.variable("AWS_ROLE_SESSION_NAME"),
                         .token_file = s.variable("AWS_WEB_IDENTITY_TOKEN_FILE")};
    if (identity.token_file.empty()) co_return NotSetUp{"AWS_WEB_IDENTITY_TOKEN_FILE is not set"};
    if (identity.role.empty())
        co_return Error{Errc::blocked, "AWS_WEB_IDENTITY_TOKEN_FILE is set, AWS_ROLE_ARN is not"};
    co_return co_await assume_role(s, std::move(identity));
}

}  // namespace crawler::adapters::aws
