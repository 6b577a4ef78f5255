#include "adapters/aws/credential_sources.hpp"

#include <fstream>
#include <sstream>

#include "adapters/aws/answer.hpp"
#include "coro/timeout.hpp"

namespace crawler::adapters::aws {
namespace {

constexpr int most_retries = 2;

// 2026-11-18T09:00:00Z, with or without a fraction of a second.
std::optional<TimePoint> expiry_of(std::string text) {
    if (text.ends_with('Z')) text.pop_back();
    text = text.substr(0, text.find('.')) + ".000000Z";
    const auto time = parse_rfc3339(text);
    return time ? std::optional(*time) : std::nullopt;
}

}  // namespace

std::string Surroundings::variable(std::string_view name) const {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
}

std::vector<CredentialSource> credential_sources(const Surroundings& s) {
    return {{"environment", [&s] { return look_in_environment(s); }},
            {"web identity", [&s] { return look_for_web_identity(s); }},
            {"shared files", [&s] { return look_in_files(s); }},
            {"container", [&s] { return ask_container_agent(s); }},
            {"instance", [&s] { return ask_instance(s); }}};
}

// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): the account outlives its questions
Async<Found> look_in_environment(const Surroundings& s) {
    Credentials credentials{.access_key = s.variable("AWS_ACCESS_KEY_ID"),
                            .secret_key = Secret(s.variable("AWS_SECRET_ACCESS_KEY")),
                            .session_token = Secret(s.variable("AWS_SESSION_TOKEN"))};
    if (credentials.access_key.empty()) co_return NotSetUp{"AWS_ACCESS_KEY_ID is not set"};
    if (credentials.secret_key.empty())
        co_return Error{Errc::blocked, "AWS_ACCESS_KEY_ID is set, AWS_SECRET_ACCESS_KEY is not"};
    co_return credentials;
}

// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): the account outlives its questions
Async<Result<ports::HttpResponse>> ask(const Surroundings& s, ports::HttpRequest request) {
    const auto who = request.url.substr(0, request.url.find('?'));
    for (int retries = 0;; ++retries) {
        const auto answer = co_await coro::with_timeout(s.http.send(request), s.config.source_timeout);
        const bool is_lost = !answer || !*answer;
        const bool is_failing = !is_lost && ((*answer)->status >= 500 || (*answer)->status == 429);
        const auto wait = s.config.retry.next_wait(retries, who);
        const bool may_repeat = (is_lost || is_failing) && retries < most_retries && wait;
        if (!may_repeat) {
            if (!answer) co_return Error{Errc::timeout, who + ": no answer in time"};
            if (!*answer) co_return Error{(*answer).error().code, who + ": " + (*answer).error().detail};
            co_return **answer;
        }
        co_await coro::sleep(*wait);
    }
}

Found credentials_in(const std::string& json) {
    const auto object = object_of(json);
    if (!object) return Error{Errc::unavailable, "the answer is not JSON"};
    Credentials credentials{.access_key = text_at(*object, "AccessKeyId"),
                            .secret_key = Secret(text_at(*object, "SecretAccessKey")),
                            .session_token = Secret(text_at(*object, "Token")),
                            .expires_at = expiry_of(text_at(*object, "Expiration"))};
    if (credentials.access_key.empty() || credentials.secret_key.empty()) {
        const auto code = text_at(*object, "Code");
        const auto message = text_at(*object, "Message");
        return Error{Errc::unavailable, "the answer has no credentials" + (code.empty() ? "" : ": " + code) +
                                            (message.empty() ? "" : ": " + message)};
    }
    return credentials;
}

Result<std::string> read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return Error{Errc::not_found, path + " cannot be read"};
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

}  // namespace crawler::adapters::aws
