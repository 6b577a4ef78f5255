#include "adapters/aws/sdk_account.hpp"

#include <aws/core/Aws.h>
#include <aws/core/auth/AWSCredentialsProviderChain.h>
#include <aws/core/client/AWSError.h>
#include <aws/core/client/CoreErrors.h>
#include <aws/core/client/RetryStrategy.h>

#include <chrono>

#include "adapters/aws/sdk_http.hpp"
#include "coro/timeout.hpp"

namespace crawler::adapters {
namespace aws {
namespace {

namespace sdk = ::Aws;

// Whoever comes when as many are under way stands in line.
constexpr std::size_t short_calls_at_once = 16;
constexpr std::size_t long_polls_at_once = 8;
constexpr std::size_t rules_at_once = 4;
constexpr Duration longest_poll = std::chrono::seconds{20};  // that SQS grants

sdk::SDKOptions options() {
    sdk::SDKOptions options;
    options.httpOptions.httpClientFactory_create_fn = make_http_factory;
    return options;
}

long milliseconds(Duration length) {
    return static_cast<long>(std::chrono::ceil<std::chrono::milliseconds>(length).count());
}

// Our waits; what is worth another try is the SDK's knowledge.
class PolicyRetry final : public sdk::Client::RetryStrategy {
  public:
    explicit PolicyRetry(const RetryPolicy& policy) : policy_(policy) {}

    bool ShouldRetry(const sdk::Client::AWSError<sdk::Client::CoreErrors>& error, long retries) const override {
        return error.ShouldRetry() && retries < policy_.max_retries;
    }
    long CalculateDelayBeforeNextRetry(const sdk::Client::AWSError<sdk::Client::CoreErrors>& error,
                                       long retries) const override {
        const auto wait = policy_.next_wait(static_cast<int>(retries), error.GetRequestId().c_str());
        return wait ? milliseconds(*wait) : 0;
    }
    long GetMaxAttempts() const override { return policy_.max_retries + 1; }
    const char* GetStrategyName() const override { return "standard"; }

  private:
    RetryPolicy policy_;
};

std::string found_in(const AwsEnvironment& environment, std::string_view name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
}

// Without the SDK's question to the machine, which would block here, for a region that we know.
sdk::Client::ClientConfiguration unasked(const AwsConfig& config) {
    sdk::Client::ClientConfiguration made(sdk::Client::ClientConfigurationInitValues{.shouldDisableIMDS = true});
    made.disableIMDS = false;
    made.credentialProviderConfig.imdsConfig.disableImds = false;
    made.region = config.region;
    made.credentialProviderConfig.region = config.region;
    return made;
}

// The SDK's chain. It looks into the process's environment by itself; what we were told of it goes first.
SdkCredentials find_credentials(const AwsConfig& config, const AwsEnvironment& environment) {
    const auto key = found_in(environment, "AWS_ACCESS_KEY_ID");
    const auto secret = found_in(environment, "AWS_SECRET_ACCESS_KEY");
    if (!key.empty() && !secret.empty()) {
        const sdk::Auth::AWSCredentials given(key, secret, found_in(environment, "AWS_SESSION_TOKEN"));
        return std::make_shared<sdk::Auth::SimpleAWSCredentialsProvider>(given);
    }
    auto sources = unasked(config).credentialProviderConfig;
    const auto profile = config.profile.empty() ? found_in(environment, "AWS_PROFILE") : config.profile;
    if (!profile.empty()) sources.profile = profile;
    sources.imdsConfig.metadataServiceTimeout =
        static_cast<long>(std::chrono::ceil<std::chrono::seconds>(config.source_timeout).count());
    sources.stsCredentialsProviderConfig.retrieveCredentialsFutureTimeout =
        std::chrono::ceil<std::chrono::milliseconds>(config.source_timeout);
    return std::make_shared<sdk::Auth::DefaultAWSCredentialsProviderChain>(sources);
}

sdk::Client::ClientConfiguration settings_of(const AwsConfig& config, Duration longest_wait, std::size_t at_once) {
    auto made = unasked(config);
    made.endpointOverride = config.endpoint;
    made.maxConnections = static_cast<unsigned>(at_once);
    made.connectTimeoutMs = milliseconds(config.attempt_timeout);
    made.httpRequestTimeoutMs = milliseconds(config.attempt_timeout + longest_wait);
    made.requestTimeoutMs = made.httpRequestTimeoutMs;
    made.retryStrategy = std::make_shared<PolicyRetry>(config.retry);
    return made;
}

}  // namespace

SdkLibrary::SdkLibrary() {
    sdk::InitAPI(options());
}
SdkLibrary::~SdkLibrary() {
    sdk::ShutdownAPI(options());
}

struct SdkAccount::Line {
    std::unique_ptr<SdkClient> client;
    SdkThreads threads;
};

SdkAccount::SdkAccount(AwsConfig config, const AwsEnvironment& environment, const ports::Clock& clock,
                       ports::IdGenerator& ids, const boost::asio::any_io_executor& executor)
    : AwsAccount(std::move(config), clock, ids, executor),
      credentials_(find_credentials(this->config(), environment)) {}
SdkAccount::~SdkAccount() = default;

SdkAccount::Line& SdkAccount::line(Kind kind) {
    auto& line = lines_[kind];
    if (line) return *line;
    const bool polls = kind == Kind::long_polls;
    const auto at_once = polls ? long_polls_at_once : kind == Kind::rules ? rules_at_once : short_calls_at_once;
    const auto settings = settings_of(config(), polls ? longest_poll : Duration{0}, at_once);
    auto client =
        kind == Kind::rules ? make_events_client(credentials_, settings) : make_sqs_client(credentials_, settings);
    line.reset(new Line{std::move(client), SdkThreads(at_once)});
    return *line;
}

Async<Result<boost::json::object>> SdkAccount::call(Call call) {
    const auto sqs = call.wait > Duration{0} ? Kind::long_polls : Kind::short_calls;
    auto& chosen = line(call.service == "sqs" ? sqs : Kind::rules);
    const auto name = call.name();
    const auto deadline = config().deadline + call.wait;
    auto ask = [&client = *chosen.client, call = std::move(call)](const Cut& cut) { return client.ask(call, cut); };
    auto asking = chosen.threads.run(std::move(ask));
    auto answer = co_await coro::with_timeout(std::move(asking), deadline);
    if (answer) co_return std::move(*answer);
    co_return Error{Errc::timeout, name + ": not done in time"};
}

}  // namespace aws

// The SDK has an HTTP client of its own.
Aws open_aws(AwsConfig config, AwsEnvironment environment, ports::HttpClient& /*http*/, const ports::Clock& clock,
             ports::IdGenerator& ids, const boost::asio::any_io_executor& executor) {
    return std::make_shared<aws::SdkAccount>(std::move(config), environment, clock, ids, executor);
}

}  // namespace crawler::adapters
