// The account on the SDK. Private to the adapter.
#pragma once
#include "adapters/aws/account.hpp"
#include "adapters/aws/sdk_client.hpp"

namespace crawler::adapters::aws {

// The SDK's library, set up; it is taken down with the last of them.
class SdkLibrary {
  public:
    SdkLibrary();
    ~SdkLibrary();
    SdkLibrary(const SdkLibrary&) = delete;
    SdkLibrary& operator=(const SdkLibrary&) = delete;
};

class SdkAccount final : public AwsAccount {
  public:
    SdkAccount(AwsConfig config, const AwsEnvironment& environment, const ports::Clock& clock, ports::IdGenerator& ids,
               const boost::asio::any_io_executor& executor);

    ~SdkAccount() override;
    Async<Result<boost::json::object>> call(Call call) override;

  private:
    // One client with threads of its own, so that long polls do not keep short calls waiting. Made when it is first needed.
    struct Line;
    enum class Kind { short_calls, long_polls, rules };
    Line& line(Kind kind);

    SdkLibrary library_;  // before and after all that is of the SDK
    SdkCredentials credentials_;
    std::map<Kind, std::unique_ptr<Line>> lines_;
};

}  // namespace crawler::adapters::aws
