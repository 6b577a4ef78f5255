// One identity and its region, as queues, desks and rules see it: somebody who carries a question to one of AWS's services, and brings
// the answer. That somebody is the variant; what is asked, and what the answer means, is the same for both.
#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/json/object.hpp>

#include "adapters/aws/answer.hpp"
#include "adapters/aws/aws.hpp"

namespace crawler::adapters {

class AwsAccount {
  public:
    struct Call {
        std::string service;  // sqs
        std::string target;   // AmazonSQS.ReceiveMessage
        std::string content_type;
        boost::json::object body;
        Duration wait{};  // how long the other side is asked to wait by itself

        std::string action() const { return target.substr(target.find('.') + 1); }
        std::string name() const { return service + " " + action(); }
    };

    AwsAccount(AwsConfig config, const ports::Clock& clock, ports::IdGenerator& ids,
               const boost::asio::any_io_executor& executor)
        : config_(std::move(config)), clock_(clock), ids_(ids), executor_(executor) {}
    virtual ~AwsAccount() = default;

    // The members of the answer. The error's detail begins with the call's name, and ends with what AWS said.
    virtual Async<Result<boost::json::object>> call(Call call) = 0;

    const AwsConfig& config() const { return config_; }
    const ports::Clock& clock() const { return clock_; }
    const boost::asio::any_io_executor& executor() const { return executor_; }
    std::string fresh_id() { return ids_.make<Id<AwsAccount>>().value; }

  private:
    AwsConfig config_;
    const ports::Clock& clock_;
    ports::IdGenerator& ids_;
    boost::asio::any_io_executor executor_;
};

}  // namespace crawler::adapters
