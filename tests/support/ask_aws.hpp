// What an operator, or AWS itself, asks of AWS by hand, past the adapters: for tests and benchmarks on emulators.
#pragma once
#include <string>

#include "ports/http_client.hpp"

namespace crawler::test {

// Service and action as in "sqs", "AmazonSQS.CreateQueue". Under nobody's signature.
Async<Result<ports::HttpResponse>> ask_aws(ports::HttpClient& http, std::string url, std::string service,
                                           std::string action, std::string json);

// Where an emulator says that a queue is: arn:aws:sqs:{region}:{account}:{queue}.
struct EmulatedPlace {
    std::string url;
    std::string region;
    std::string account;
};
struct QueueSetup {
    std::string name;  // .fifo or not; its dead letters are in {name}-dlq
    int visibility_seconds = 30;
    int max_receive_count = 3;
};
std::string dead_letters_of(const std::string& queue);
// Throws what the emulator said where it made none.
Async<> create_queue(ports::HttpClient& http, EmulatedPlace place, QueueSetup setup);

}  // namespace crawler::test
