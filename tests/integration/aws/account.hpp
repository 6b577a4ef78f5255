// An account on AWS, or on somebody who plays it, well or badly, and the adapters on it. Time is real.
#pragma once
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "adapters/aws/aws.hpp"
#include "adapters/http/http.hpp"
#include "adapters/system/system.hpp"
#include "support/ask_aws.hpp"
#include "support/run.hpp"

namespace crawler::test {

using namespace std::chrono_literals;

inline adapters::AwsEnvironment key_of(std::string id, std::string secret) {
    return {{"AWS_ACCESS_KEY_ID", std::move(id)}, {"AWS_SECRET_ACCESS_KEY", std::move(secret)}};
}

// Gives up soon: one retry, and no more than half a second for a try.
struct Account {
    explicit Account(const std::string& url, adapters::AwsEnvironment environment = key_of("test", "test"))
        : endpoint(url),
          aws(adapters::open_aws({.endpoint = url,
                                  .attempt_timeout = 500ms,
                                  .deadline = 5s,
                                  .retry = {.max_retries = 1, .first_wait = 1ms, .longest_wait = 1ms}},
                                 std::move(environment), *http, *clock, *ids, io.get_executor())) {}

    boost::asio::io_context io{1};
    std::unique_ptr<ports::Clock> clock = adapters::make_system_clock();
    std::unique_ptr<ports::IdGenerator> ids = adapters::make_uuid_generator(*clock);
    std::unique_ptr<ports::HttpClient> http =
        adapters::make_http_client({.total_timeout = 60s, .allow_private_addresses = true}, io);
    std::string endpoint;
    adapters::Aws aws;

    std::unique_ptr<ports::MessageQueue> queue(const std::string& name) const {
        return adapters::make_sqs_queue(aws, {.queue = name});
    }
    std::unique_ptr<ports::ScheduleRules> rules() const {
        return adapters::make_eventbridge_rules(
            aws, {.target_arn = "arn:aws:sqs:ap-northeast-2:123456789012:mustit-crawler-triggers"});
    }
    template <class T>
    T run(Async<T> work) {
        Ended<T> ended;
        start(io, std::move(work), ended);
        io.restart();
        while (!ended.done && io.run_one() > 0) {
        }
        return ended.get();
    }
    // What AWS says to that, by hand.
    std::string ask(const std::string& service, const std::string& action, const std::string& json) {
        auto answer = run(ask_aws(*http, endpoint, service, action, json));
        REQUIRE(answer);
        INFO(answer->body);
        CHECK(answer->status == 200);
        return answer->body;
    }
    std::string new_name(const std::string& beginning) { return beginning + ids->make<TaskId>().value; }
};

}  // namespace crawler::test
