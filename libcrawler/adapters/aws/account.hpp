// Asks one of AWS's services: signs, sends, reads the answer, and asks again where that helps. Queues, desks and rules share one.
#pragma once
#include <boost/json/object.hpp>

#include "adapters/aws/answer.hpp"
#include "adapters/aws/credentials.hpp"

namespace crawler::adapters {

class AwsAccount {
  public:
    struct Call {
        std::string service;  // sqs
        std::string target;   // AmazonSQS.ReceiveMessage
        std::string content_type;
        boost::json::object body;
        Duration wait{};  // how long the other side is asked to wait by itself
    };

    AwsAccount(AwsConfig config, AwsEnvironment environment, ports::HttpClient& http, const ports::Clock& clock,
               ports::IdGenerator& ids, const boost::asio::any_io_executor& executor);

    // The members of the answer. The error's detail begins with the service and the action, and ends with what AWS said.
    Async<Result<boost::json::object>> call(Call call);

    const AwsConfig& config() const { return surroundings_.config; }
    const ports::Clock& clock() const { return surroundings_.clock; }
    const boost::asio::any_io_executor& executor() const { return executor_; }
    std::string fresh_id();

  private:
    // What was mended already in one call, and what went wrong last.
    struct Course {
        std::string id;
        int retries = 0;
        bool has_mended_clock = false;
        bool has_new_credentials = false;
        std::optional<aws::Refusal> refusal = std::nullopt;
    };

    Async<Result<boost::json::object>> attempts(const Call& call, Course& course);
    Async<std::variant<boost::json::object, aws::Refusal>> attempt(const Call& call, aws::Credentials credentials);
    ports::HttpRequest signed_request(const Call& call, const aws::Credentials& credentials) const;
    // The wait before the next attempt; empty: there is none.
    std::optional<Duration> remedy(Course& course, const aws::Credentials& credentials);
    bool mend_clock(const aws::Refusal& refusal);

    aws::Surroundings surroundings_;
    ports::IdGenerator& ids_;
    boost::asio::any_io_executor executor_;
    aws::CredentialsCache credentials_;
    Duration skew_{0};  // the other side's clock, less ours
};

}  // namespace crawler::adapters
