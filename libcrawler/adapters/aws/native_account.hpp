// The account on our own HTTP client: signs, sends, reads the answer, and asks again where that helps.
#pragma once
#include "adapters/aws/account.hpp"
#include "adapters/aws/credentials.hpp"

namespace crawler::adapters::aws {

class NativeAccount final : public AwsAccount {
  public:
    NativeAccount(const AwsConfig& config, AwsEnvironment environment, ports::HttpClient& http,
                  const ports::Clock& clock, ports::IdGenerator& ids, const boost::asio::any_io_executor& executor);

    Async<Result<boost::json::object>> call(Call call) override;

  private:
    // What was mended already in one call, and what went wrong last.
    struct Course {
        std::string id;
        int retries = 0;
        bool has_mended_clock = false;
        bool has_new_credentials = false;
        std::optional<Refusal> refusal = std::nullopt;
    };

    Async<Result<boost::json::object>> attempts(const Call& call, Course& course);
    Async<std::variant<boost::json::object, Refusal>> attempt(const Call& call, Credentials credentials);
    ports::HttpRequest signed_request(const Call& call, const Credentials& credentials) const;
    // The wait before the next attempt; empty: there is none.
    std::optional<Duration> remedy(Course& course, const Credentials& credentials);
    bool mend_clock(const Refusal& refusal);

    Surroundings surroundings_;
    CredentialsCache credentials_;
    Duration skew_{0};  // the other side's clock, less ours
};

}  // namespace crawler::adapters::aws
