#include "adapters/aws/sdk_client.hpp"

#include <aws/core/AmazonSerializableWebServiceRequest.h>
#include <aws/core/client/AWSError.h>
#include <aws/core/http/HttpResponse.h>
#include <aws/eventbridge/EventBridgeClient.h>
#include <aws/sqs/SQSClient.h>

#include <boost/json/serialize.hpp>

#include "adapters/aws/sdk_http.hpp"

namespace crawler::adapters::aws {
namespace {

namespace sdk = ::Aws;
namespace json = boost::json;

class Question final : public sdk::AmazonSerializableWebServiceRequest {
  public:
    Question(const AwsAccount::Call& call, const Cut& cut)
        : call_(call), action_(call.target.substr(call.target.find('.') + 1)) {
        SetContinueRequestHandler([&cut](const sdk::Http::HttpRequest*) { return !cut; });
    }

    const char* GetServiceRequestName() const override { return action_.c_str(); }
    sdk::String SerializePayload() const override { return json::serialize(call_.body); }
    sdk::Http::HeaderValueCollection GetHeaders() const override {
        return {{"content-type", call_.content_type}, {"x-amz-target", call_.target}};
    }

  private:
    const AwsAccount::Call& call_;
    std::string action_;
};

// The SDK has one name for all that can happen to a connection; its text begins with curl's number for it.
Errc code_of_silence(const std::string& text) {
    return text.starts_with("curlCode: 28,") ? Errc::timeout : Errc::unavailable;
}

// The words of the SDK, read as those of AWS, so that both variants mean the same by them.
Refusal refusal_of(const sdk::Client::AWSError<sdk::Client::CoreErrors>& error) {
    const auto status = static_cast<int>(error.GetResponseCode());
    if (error.GetErrorType() == sdk::Client::CoreErrors::NETWORK_CONNECTION)
        return unanswered(Error{code_of_silence(error.GetMessage()), error.GetMessage()});
    if (status < 300) return unanswered(Error{Errc::unavailable, error.GetMessage()});  // it was no JSON
    ports::HttpResponse answer;
    answer.status = status;
    for (const auto& [name, value] : error.GetResponseHeaders()) answer.headers.push_back({name, value});
    const json::object words{{"__type", error.GetExceptionName()}, {"message", error.GetMessage()}};
    answer.body = json::serialize(words);
    return aws::refusal_of(answer);
}

// Service is the SDK's client of that service, which knows its endpoints, its signature and its errors.
template <class Service>
class JsonClient final : public SdkClient, private Service {
  public:
    JsonClient(const SdkCredentials& credentials, const sdk::Client::ClientConfiguration& settings)
        : Service(credentials, settings), credentials_(credentials) {}

    Result<json::object> ask(const AwsAccount::Call& call, const Cut& cut) override {
        if (credentials_->GetAWSCredentials().IsEmpty())
            return Error{Errc::blocked, call.name() +
                                            ": nobody has credentials, neither environment, profile, web identity, "
                                            "container nor machine"};
        const auto endpoint = this->accessEndpointProvider()->ResolveEndpoint({});
        if (!endpoint.IsSuccess()) return Error{Errc::invalid, call.name() + ": " + endpoint.GetError().GetMessage()};
        const Question question(call, cut);
        const GivesUp on(cut);
        const auto outcome = this->MakeRequest(question, endpoint.GetResult(), sdk::Http::HttpMethod::HTTP_POST,
                                               sdk::Auth::SIGV4_SIGNER);
        if (!outcome.IsSuccess()) return refusal_of(outcome.GetError()).as_error(call.name());
        auto members = object_of(outcome.GetResult().GetPayload().View().WriteCompact());
        if (!members) return unanswered(members.error()).as_error(call.name());
        return members;
    }

  private:
    SdkCredentials credentials_;
};

}  // namespace

std::unique_ptr<SdkClient> make_sqs_client(const SdkCredentials& credentials,
                                           const sdk::Client::ClientConfiguration& settings) {
    return std::make_unique<JsonClient<sdk::SQS::SQSClient>>(credentials, settings);
}

std::unique_ptr<SdkClient> make_events_client(const SdkCredentials& credentials,
                                              const sdk::Client::ClientConfiguration& settings) {
    return std::make_unique<JsonClient<sdk::EventBridge::EventBridgeClient>>(credentials, settings);
}

}  // namespace crawler::adapters::aws
