#include "support/ask_aws.hpp"

#include <stdexcept>

namespace crawler::test {
namespace {

constexpr std::string_view fifo = ".fifo";

std::string quoted(const std::string& text) {
    return "\"" + text + "\"";
}

// Attributes are texts, whatever is in them.
std::string attributes(const std::string& queue, const std::string& more) {
    const std::string is_fifo = queue.ends_with(fifo) ? R"("FifoQueue":"true")" : "";
    return "{" + is_fifo + (is_fifo.empty() || more.empty() ? "" : ",") + more + "}";
}

// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): its caller waits
Async<> create_one(ports::HttpClient& http, std::string url, std::string name, std::string attributes) {
    auto json = R"({"QueueName":)" + quoted(name) + R"(,"Attributes":)" + attributes + "}";
    const auto answer = co_await ask_aws(http, std::move(url), "sqs", "AmazonSQS.CreateQueue", std::move(json));
    if (!answer) throw std::runtime_error("no queue " + name + ": " + answer.error().detail);
    if (answer->status != 200) throw std::runtime_error("no queue " + name + ": " + answer->body);
}

}  // namespace

Async<Result<ports::HttpResponse>> ask_aws(ports::HttpClient& http, std::string url, std::string service,
                                           std::string action, std::string json) {
    ports::HttpRequest request;
    request.method = "POST";
    request.url = std::move(url) + "/";
    request.headers = {{"Content-Type", service == "sqs" ? "application/x-amz-json-1.0" : "application/x-amz-json-1.1"},
                       {"X-Amz-Target", std::move(action)},
                       {"Authorization", "AWS4-HMAC-SHA256 Credential=test/20260101/ap-northeast-2/" + service +
                                             "/aws4_request, SignedHeaders=host, Signature=0"}};
    request.body = std::move(json);
    co_return co_await http.send(std::move(request));
}

std::string dead_letters_of(const std::string& queue) {
    if (!queue.ends_with(fifo)) return queue + "-dlq";
    return queue.substr(0, queue.size() - fifo.size()) + "-dlq.fifo";
}

Async<> create_queue(ports::HttpClient& http, EmulatedPlace place, QueueSetup setup) {
    const auto dead = dead_letters_of(setup.name);
    auto nothing_more = attributes(dead, "");
    co_await create_one(http, place.url, dead, std::move(nothing_more));

    const auto arn = "arn:aws:sqs:" + place.region + ":" + place.account + ":" + dead;
    auto all =
        attributes(setup.name, R"("VisibilityTimeout":")" + std::to_string(setup.visibility_seconds) +
                                   R"(","RedrivePolicy":"{\"deadLetterTargetArn\":\")" + arn +
                                   R"(\",\"maxReceiveCount\":)" + std::to_string(setup.max_receive_count) + R"(}")");
    co_await create_one(http, place.url, setup.name, std::move(all));
}

}  // namespace crawler::test
