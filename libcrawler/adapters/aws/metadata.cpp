// Credentials from whoever runs us: the agent beside a container, or the instance.
#include "adapters/aws/answer.hpp"
#include "adapters/aws/credential_sources.hpp"

namespace crawler::adapters::aws {
namespace {

constexpr std::string_view ecs_agent = "http://169.254.170.2";
constexpr std::string_view instance_service = "http://169.254.169.254";

// A token sent to anybody else, unencrypted, would be a gift.
bool may_be_asked(const std::string& url) {
    if (url.starts_with("https://")) return true;
    for (const std::string_view host :
         {"169.254.170.2", "169.254.170.23", "[fd00:ec2::23]", "localhost", "127.0.0.1", "[::1]"}) {
        const auto begin = "http://" + std::string(host);
        const auto rest = url.starts_with(begin) ? url.substr(begin.size()) : std::string("?");
        if (rest.empty() || rest.front() == '/' || rest.front() == ':') return true;
    }
    return false;
}

Found found_in(const Result<ports::HttpResponse>& answer, const std::string& who) {
    if (!answer) return answer.error();
    if (answer->status == 200) return credentials_in(answer->body);
    return Error{answer->status >= 500 ? Errc::unavailable : Errc::blocked,
                 who + ": HTTP " + std::to_string(answer->status)};
}

}  // namespace

// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): the account outlives its questions
Async<Found> ask_container_agent(const Surroundings& s) {
    const auto relative = s.variable("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
    auto url = relative.empty() ? s.variable("AWS_CONTAINER_CREDENTIALS_FULL_URI") : std::string(ecs_agent) + relative;
    if (url.empty()) co_return NotSetUp{"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI and ..._FULL_URI are not set"};
    if (!may_be_asked(url))
        co_return Error{Errc::blocked, url + ": must be https, or the address of an agent beside the container"};

    // The file changes under us, so it is read each time.
    auto token = s.variable("AWS_CONTAINER_AUTHORIZATION_TOKEN");
    if (const auto file = s.variable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"); !file.empty()) {
        auto text = read_file(file);
        if (!text) co_return Error{Errc::blocked, "the token file " + text.error().detail};
        token = text->substr(0, text->find_first_of("\r\n"));
    }
    ports::HttpRequest request{.method = "GET", .url = url, .headers = {{"Accept", "application/json"}}, .body = {}};
    if (!token.empty()) request.headers.push_back({"Authorization", token});
    const auto answer = co_await ask(s, std::move(request));
    co_return found_in(answer, url);
}

// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): the account outlives its questions
Async<Found> ask_instance(const Surroundings& s) {
    if (s.variable("AWS_EC2_METADATA_DISABLED") == "true") co_return NotSetUp{"AWS_EC2_METADATA_DISABLED says so"};
    auto service = s.variable("AWS_EC2_METADATA_SERVICE_ENDPOINT");
    if (service.empty()) service = instance_service;
    while (service.ends_with('/')) service.pop_back();

    ports::HttpRequest session{.method = "PUT", .url = service + "/latest/api/token", .headers = {}, .body = {}};
    session.headers = {{"X-aws-ec2-metadata-token-ttl-seconds", "21600"}};
    const auto token = co_await ask(s, std::move(session));
    if (!token) co_return NotSetUp{token.error().detail};  // most machines are no instances
    if (token->status != 200) co_return NotSetUp{"no session: HTTP " + std::to_string(token->status)};

    const auto roles = service + "/latest/meta-data/iam/security-credentials/";
    ports::HttpRequest question{.method = "GET", .url = roles, .headers = {}, .body = {}};
    question.headers = {{"X-aws-ec2-metadata-token", token->body}};
    const auto role = co_await ask(s, question);
    if (!role) co_return role.error();
    if (role->status == 404) co_return NotSetUp{"the instance has no role"};
    if (role->status != 200) co_return Error{Errc::unavailable, roles + ": HTTP " + std::to_string(role->status)};

    question.url = roles + role->body.substr(0, role->body.find_first_of("\r\n"));
    const auto answer = co_await ask(s, question);
    co_return found_in(answer, question.url);
}

}  // namespace crawler::adapters::aws
