// Where credentials may come from, one function each, in the order in which AWS looks for them.
#pragma once
#include <functional>
#include <variant>
#include <vector>

#include "adapters/aws/aws.hpp"
#include "adapters/aws/sigv4.hpp"
#include "coro/async.hpp"

namespace crawler::adapters::aws {

// Nobody said that credentials are to be had there; the next source is asked.
struct NotSetUp {
    std::string why;
};
using Found = std::variant<Credentials, NotSetUp, Error>;

struct CredentialSource {
    std::string name;
    std::function<Async<Found>()> look;
};

// What the sources share; it outlives them.
struct Surroundings {
    AwsConfig config;
    AwsEnvironment environment;
    ports::HttpClient& http;
    const ports::Clock& clock;

    std::string variable(std::string_view name) const;  // empty where it is not set
};

std::vector<CredentialSource> credential_sources(const Surroundings& surroundings);

// AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN.
Async<Found> look_in_environment(const Surroundings& s);
// A token file and a role, exchanged at STS: what EKS sets up for a service account (IRSA).
Async<Found> look_for_web_identity(const Surroundings& s);
// ~/.aws/credentials and ~/.aws/config: keys, or a role with a token file.
Async<Found> look_in_files(const Surroundings& s);
// The agent beside a container: ECS, EKS Pod Identity.
Async<Found> ask_container_agent(const Surroundings& s);
// The instance's own service, in its second version.
Async<Found> ask_instance(const Surroundings& s);

struct WebIdentity {
    std::string role;
    std::string session_name;  // empty: crawler
    std::string token_file;
};
Async<Found> assume_role(const Surroundings& s, WebIdentity identity);

// One question to whoever hands out credentials, asked again where it went wrong on the way. Errors name the URL, not the headers.
Async<Result<ports::HttpResponse>> ask(const Surroundings& s, ports::HttpRequest request);
// AccessKeyId, SecretAccessKey, Token, Expiration: what container agents and instances answer.
Found credentials_in(const std::string& json);
// The whole file. not_found: it is not there, or cannot be read.
Result<std::string> read_file(const std::string& path);

}  // namespace crawler::adapters::aws
