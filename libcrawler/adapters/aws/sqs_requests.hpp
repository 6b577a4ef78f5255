// The requests about one queue of SQS. The queue and its desk stand on it.
#pragma once
#include <boost/json/array.hpp>

#include "adapters/aws/sqs_messages.hpp"

namespace crawler::adapters::aws {

class SqsRequests {
  public:
    SqsRequests(Aws aws, std::string queue) : aws_(std::move(aws)), queue_(std::move(queue)) {}

    AwsAccount& account() const { return *aws_; }
    const std::string& queue() const { return queue_; }
    bool keeps_order() const { return is_fifo(queue_); }

    // `body` gets the queue's URL. not_found: no such queue.
    Async<Result<boost::json::object>> ask(std::string action, boost::json::object body, Duration wait = {});
    // Of what is not about a URL.
    Async<Result<boost::json::object>> ask_plainly(std::string action, boost::json::object body);

    Async<Result<std::vector<Received>>> receive(int limit, Duration wait, Duration visibility);
    // One outcome per entry; where the request as a whole failed, all have its error. The entries have the Ids 0, 1, ...
    Async<std::vector<Result<>>> ask_batch(std::string action, boost::json::array entries);

    // Roughly what lies here; `dead` is left 0.
    Async<Result<ports::QueueDepth>> own_depth();
    // With what lies in the queue of its dead letters.
    Async<Result<ports::QueueDepth>> depth();
    // Where its dead letters go, as its RedrivePolicy says; null where it has none.
    Async<Result<SqsRequests*>> dead_letters();

  private:
    Async<Result<std::string>> url();
    Async<Result<boost::json::object>> attributes();
    Result<> learn_dead_letters(const boost::json::object& attributes);

    Aws aws_;
    std::string queue_;
    std::string url_;                    // once it is known
    std::unique_ptr<SqsRequests> dead_;  // likewise
};

}  // namespace crawler::adapters::aws
