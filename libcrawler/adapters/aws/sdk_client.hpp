// A service of AWS, asked through the SDK's own client for it: the SDK says where, as whom and how often; the question and its answer stay
// JSON, as they are for the other variant. Private to the adapter; it blocks.
#pragma once
#include <aws/core/auth/AWSCredentialsProvider.h>
#include <aws/core/client/ClientConfiguration.h>

#include <boost/json/object.hpp>
#include <memory>
#include <string>

#include "adapters/aws/account.hpp"
#include "adapters/aws/sdk_threads.hpp"

namespace crawler::adapters::aws {

class SdkClient {
  public:
    virtual ~SdkClient() = default;
    // From any thread, also from several at once.
    virtual Result<boost::json::object> ask(const AwsAccount::Call& call, const Cut& cut) = 0;
};

using SdkCredentials = std::shared_ptr<::Aws::Auth::AWSCredentialsProvider>;

std::unique_ptr<SdkClient> make_sqs_client(const SdkCredentials& credentials,
                                           const ::Aws::Client::ClientConfiguration& settings);
std::unique_ptr<SdkClient> make_events_client(const SdkCredentials& credentials,
                                              const ::Aws::Client::ClientConfiguration& settings);

}  // namespace crawler::adapters::aws
