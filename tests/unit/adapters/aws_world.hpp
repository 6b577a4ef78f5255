// AWS as a script: what it is asked is kept, what it answers a test says, by action. Time is virtual.
#pragma once
#include <boost/json.hpp>
#include <deque>
#include <functional>
#include <map>

#include "adapters/aws/aws.hpp"
#include "adapters/memory/memory.hpp"
#include "coro/event.hpp"
#include "coro/sleep.hpp"
#include "support/clocks.hpp"
#include "support/run.hpp"

namespace crawler::test {

namespace json = boost::json;

inline Result<ports::HttpResponse> answer(int status, const std::string& body,
                                          std::vector<ports::HttpHeader> headers = {}) {
    return ports::HttpResponse{.status = status, .headers = std::move(headers), .body = body};
}
inline Result<ports::HttpResponse> refusal(const std::string& type, const std::string& message = "no",
                                           int status = 400) {
    return answer(status, json::serialize(json::object{{"__type", "com.amazonaws#" + type}, {"message", message}}));
}

// The action of a question to AWS, or method and path of any other.
inline std::string action_of(const ports::HttpRequest& request) {
    const auto target = ports::find_header(request.headers, "X-Amz-Target");
    if (target) return std::string(target->substr(target->find('.') + 1));
    return request.method + " " + request.url;
}

class Wire final : public ports::HttpClient {
  public:
    using Script = std::function<Result<ports::HttpResponse>(const ports::HttpRequest&)>;

    Async<Result<ports::HttpResponse>> send(ports::HttpRequest request) override {
        const auto action = action_of(request);
        heard.push_back(request);
        if (latency > Duration{0}) co_await coro::sleep(latency);
        if (stalls) co_await coro::forever();
        const auto script = scripts.find(action);
        if (script == scripts.end()) co_return refusal("UnknownOperationException", action);
        co_return script->second(request);
    }

    void on(const std::string& action, Script script) { scripts[action] = std::move(script); }
    // These answers in turn, the last one again and again.
    void on(const std::string& action, std::deque<Result<ports::HttpResponse>> answers) {
        scripts[action] = [answers](const ports::HttpRequest&) mutable {
            auto next = answers.front();
            if (answers.size() > 1) answers.pop_front();
            return next;
        };
    }

    std::vector<json::object> bodies(const std::string& action) const {
        std::vector<json::object> all;
        for (const auto& request : heard) {
            if (action_of(request) == action) all.push_back(json::parse(request.body).as_object());
        }
        return all;
    }
    std::size_t count(const std::string& action) const {
        return static_cast<std::size_t>(
            std::ranges::count_if(heard, [&](const auto& request) { return action_of(request) == action; }));
    }

    std::vector<ports::HttpRequest> heard;
    std::map<std::string, Script> scripts;
    bool stalls = false;
    Duration latency{0};
};

// Every entry of the batch succeeded.
inline Result<ports::HttpResponse> all_succeed(const ports::HttpRequest& request) {
    json::array successful;
    const auto body = json::parse(request.body);
    for (const auto& entry : body.at("Entries").as_array()) successful.push_back(json::object{{"Id", entry.at("Id")}});
    return answer(200, json::serialize(json::object{{"Successful", successful}, {"Failed", json::array{}}}));
}

inline json::object a_message(const std::string& body, const std::string& receipt, const std::string& group = "") {
    json::object attributes{{"ApproximateReceiveCount", "2"}, {"SentTimestamp", "1795165200000"}};
    if (!group.empty()) attributes["MessageGroupId"] = group;
    return {{"MessageId", "id of " + body}, {"ReceiptHandle", receipt}, {"Body", body}, {"Attributes", attributes}};
}
inline Result<ports::HttpResponse> messages(json::array all) {
    return answer(200, json::serialize(json::object{{"Messages", std::move(all)}}));
}

struct AwsWorld {
    boost::asio::io_context io{1};
    coro::VirtualTime time{io};
    VirtualClock clock{time};
    std::unique_ptr<ports::IdGenerator> ids = adapters::make_counting_ids("fresh-");
    Wire wire;
    adapters::AwsEnvironment environment{{"AWS_ACCESS_KEY_ID", "AKID"}, {"AWS_SECRET_ACCESS_KEY", "secret"}};
    adapters::AwsConfig config{.region = "eu-west-9", .endpoint = "http://aws.test"};

    AwsWorld() {
        wire.on("GetQueueUrl", {answer(200, R"({"QueueUrl":"http://elsewhere/1/q"})")});
        for (const auto* batch : {"SendMessageBatch", "DeleteMessageBatch", "ChangeMessageVisibilityBatch"})
            wire.on(batch, all_succeed);
    }

    adapters::Aws aws() { return adapters::open_aws(config, environment, wire, clock, *ids, io.get_executor()); }
    std::unique_ptr<ports::MessageQueue> queue(const std::string& name = "tasks.fifo") {
        return adapters::make_sqs_queue(aws(), {.queue = name});
    }

    template <class T>
    T run(Async<T> work) {
        return test::run(io, time, std::move(work));
    }
};

}  // namespace crawler::test
