#include "adapters/aws/sqs_requests.hpp"

#include <algorithm>
#include <charconv>

#include "adapters/aws/batches.hpp"

namespace crawler::adapters::aws {
namespace {

namespace json = boost::json;

AwsAccount::Call call_of(const std::string& action, json::object body, Duration wait = {}) {
    return {.service = "sqs",
            .target = "AmazonSQS." + action,
            .content_type = "application/x-amz-json-1.0",
            .body = std::move(body),
            .wait = wait};
}

std::int64_t count_in(const json::object& attributes, std::string_view name) {
    const auto text = text_at(attributes, name);
    std::int64_t count = 0;
    std::from_chars(text.data(), text.data() + text.size(), count);
    return count;
}

ports::QueueDepth depth_in(const json::object& attributes) {
    return {.waiting = count_in(attributes, "ApproximateNumberOfMessages"),
            .in_flight = count_in(attributes, "ApproximateNumberOfMessagesNotVisible") +
                         count_in(attributes, "ApproximateNumberOfMessagesDelayed")};
}

}  // namespace

Async<Result<std::string>> SqsRequests::url() {
    if (!url_.empty()) co_return url_;
    json::object body{{"QueueName", queue_}};
    const auto answer = co_await aws_->call(call_of("GetQueueUrl", std::move(body)));
    if (!answer) {
        if (answer.error().code != Errc::not_found) co_return answer.error();
        co_return Error{Errc::not_found, "there is no queue '" + queue_ + "' in " + aws_->config().region +
                                             ", or it may not be seen: " + answer.error().detail};
    }
    auto url = text_at(*answer, "QueueUrl");
    if (url.empty()) co_return Error{Errc::unavailable, "sqs GetQueueUrl: the answer has no URL"};
    url_ = std::move(url);
    co_return url_;
}

Async<Result<json::object>> SqsRequests::ask(std::string action, json::object body, Duration wait) {
    const auto where = co_await url();
    if (!where) co_return where.error();
    body["QueueUrl"] = *where;
    auto answer = co_await aws_->call(call_of(action, std::move(body), wait));
    if (!answer && answer.error().code == Errc::not_found) url_.clear();  // it may be made anew, at another place
    co_return answer;
}

Async<Result<json::object>> SqsRequests::ask_plainly(std::string action, json::object body) {
    co_return co_await aws_->call(call_of(action, std::move(body)));
}

Async<Result<std::vector<Received>>> SqsRequests::receive(int limit, Duration wait, Duration visibility) {
    const auto most = std::clamp(limit, 1, static_cast<int>(most_in_batch));
    const auto seconds = std::chrono::floor<std::chrono::seconds>(wait);
    json::object body{{"MaxNumberOfMessages", most},
                      {"WaitTimeSeconds", seconds.count()},
                      {"VisibilityTimeout", std::chrono::ceil<std::chrono::seconds>(visibility).count()}};
    body["AttributeNames"] = json::array{"ApproximateReceiveCount", "SentTimestamp", "MessageGroupId"};
    const auto answer = co_await ask("ReceiveMessage", std::move(body), seconds);
    if (!answer) co_return answer.error();
    co_return received_in(*answer);
}

Async<std::vector<Result<>>> SqsRequests::ask_batch(std::string action, json::array entries) {
    const auto count = entries.size();
    json::object body{{"Entries", std::move(entries)}};
    const auto answer = co_await ask(std::move(action), std::move(body));
    if (!answer) co_return std::vector<Result<>>(count, Result<>(answer.error()));
    co_return outcomes_in(*answer, count);
}

Async<Result<json::object>> SqsRequests::attributes() {
    json::object body;
    body["AttributeNames"] = json::array{"ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible",
                                         "ApproximateNumberOfMessagesDelayed", "RedrivePolicy"};
    const auto answer = co_await ask("GetQueueAttributes", std::move(body));
    if (!answer) co_return answer.error();
    const auto* attributes = answer->if_contains("Attributes");
    if (!attributes || !attributes->is_object())
        co_return Error{Errc::unavailable, "sqs GetQueueAttributes: the answer has no attributes"};
    co_return attributes->get_object();
}

Async<Result<ports::QueueDepth>> SqsRequests::own_depth() {
    const auto known = co_await attributes();
    if (!known) co_return known.error();
    co_return depth_in(*known);
}

// {"deadLetterTargetArn":"arn:aws:sqs:<region>:<account>:<queue>","maxReceiveCount":5}
Result<> SqsRequests::learn_dead_letters(const json::object& attributes) {
    const auto policy = text_at(attributes, "RedrivePolicy");
    if (policy.empty()) return {};
    const auto members = object_of(policy);
    const auto arn = members ? text_at(*members, "deadLetterTargetArn") : std::string();
    const auto name = arn.substr(arn.rfind(':') + 1);
    if (name.empty())
        return Error{Errc::unavailable, "sqs: the RedrivePolicy of '" + queue_ + "' names no queue: " + policy};
    if (!dead_ || dead_->queue_ != name) dead_ = std::make_unique<SqsRequests>(aws_, name);
    return {};
}

Async<Result<SqsRequests*>> SqsRequests::dead_letters() {
    if (dead_) co_return dead_.get();
    const auto known = co_await attributes();
    if (!known) co_return known.error();
    const auto learnt = learn_dead_letters(*known);
    if (!learnt) co_return learnt.error();
    co_return dead_.get();
}

Async<Result<ports::QueueDepth>> SqsRequests::depth() {
    const auto known = co_await attributes();
    if (!known) co_return known.error();
    auto depth = depth_in(*known);
    if (!dead_) {
        const auto learnt = learn_dead_letters(*known);
        if (!learnt) co_return learnt.error();
    }
    if (!dead_) co_return depth;
    const auto dead = co_await dead_->own_depth();
    if (!dead) co_return dead.error();
    depth.dead = dead->waiting + dead->in_flight;
    co_return depth;
}

}  // namespace crawler::adapters::aws
