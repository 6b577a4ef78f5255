#include <catch2/catch_test_macros.hpp>

#include "unit/adapters/aws_world.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;
using ports::OutgoingMessage;

namespace {

std::vector<OutgoingMessage> numbered(int count, const std::string& group = "") {
    std::vector<OutgoingMessage> messages;
    for (int i = 0; i < count; ++i)
        messages.push_back({.body = std::to_string(i), .group = group, .deduplication_id = {}});
    return messages;
}

std::string text(const json::value& value) {
    return std::string(value.as_string());
}

std::vector<std::string> sent_bodies(const AwsWorld& w) {
    std::vector<std::string> bodies;
    for (const auto& request : w.wire.bodies("SendMessageBatch")) {
        for (const auto& entry : request.at("Entries").as_array()) bodies.push_back(text(entry.at("MessageBody")));
    }
    return bodies;
}

json::object first_entry(const AwsWorld& w, const std::string& action) {
    return w.wire.bodies(action).at(0).at("Entries").as_array().at(0).as_object();
}

std::string receive_one(AwsWorld& w, ports::MessageQueue& queue) {
    w.wire.on("ReceiveMessage", {messages({a_message("1", "r-1")})});
    const auto received = w.run(queue.receive(1, 0s));
    REQUIRE(received);
    return received->at(0).receipt;
}

}  // namespace

TEST_CASE("sqs: messages are sent in tens, each with a result of its own", "[aws]") {
    AwsWorld w;
    const auto queue = w.queue("tasks");

    const auto sent = w.run(queue->send(numbered(25)));

    REQUIRE(sent);
    CHECK(sent->size() == 25);
    CHECK(std::ranges::all_of(*sent, [](const auto& one) { return static_cast<bool>(one); }));
    CHECK(w.wire.count("SendMessageBatch") == 3);
    CHECK(sent_bodies(w).size() == 25);
    CHECK(w.wire.bodies("SendMessageBatch").at(0).at("QueueUrl") == "http://elsewhere/1/q");
    CHECK(w.wire.heard.back().url == "http://aws.test/");
}

TEST_CASE("sqs: where the queue is, is asked once", "[aws]") {
    AwsWorld w;
    const auto queue = w.queue();

    for (int i = 0; i < 3; ++i) REQUIRE(w.run(queue->send(numbered(1))));

    CHECK(w.wire.count("GetQueueUrl") == 1);
}

TEST_CASE("sqs: messages of one group are sent in their order, however many requests that takes", "[aws]") {
    AwsWorld w;
    w.wire.latency = 1s;

    REQUIRE(w.run(w.queue()->send(numbered(35, "a"))));

    const auto bodies = sent_bodies(w);
    REQUIRE(bodies.size() == 35);
    for (std::size_t i = 0; i < bodies.size(); ++i) CHECK(bodies[i] == std::to_string(i));
}

TEST_CASE("sqs: a batch is no larger than SQS takes it", "[aws]") {
    AwsWorld w;
    std::vector<OutgoingMessage> large(
        3, OutgoingMessage{.body = std::string(100'000, 'x'), .group = "a", .deduplication_id = {}});

    REQUIRE(w.run(w.queue()->send(large)));

    CHECK(w.wire.count("SendMessageBatch") == 2);
}

TEST_CASE("sqs: a message that is too large is refused by itself, with its size", "[aws]") {
    AwsWorld w;
    auto both = numbered(2);
    both[0].body = std::string(262'145, 'x');

    const auto sent = w.run(w.queue()->send(both));

    REQUIRE(sent);
    CHECK(sent->at(0).error().code == Errc::invalid);
    CHECK(sent->at(0).error().detail == "a message of 262145 bytes; SQS takes 262144 at most");
    CHECK(sent->at(1));
    CHECK(sent_bodies(w) == std::vector<std::string>{"1"});
}

TEST_CASE("sqs: what fails in a batch fails for itself", "[aws]") {
    AwsWorld w;
    w.wire.on("SendMessageBatch", {answer(200, R"({"Successful":[{"Id":"0"}],"Failed":[
                  {"Id":"1","Code":"InternalError","Message":"again, please","SenderFault":false},
                  {"Id":"2","Code":"InvalidMessageContents","SenderFault":true}]})")});

    const auto sent = w.run(w.queue()->send(numbered(4)));

    REQUIRE(sent);
    CHECK(sent->at(0));
    CHECK(sent->at(1).error() == Error{Errc::unavailable, "sqs: InternalError: again, please"});
    CHECK(sent->at(2).error().code == Errc::invalid);
    CHECK(sent->at(3).error() == Error{Errc::unavailable, "sqs: the answer does not mention this entry"});
}

TEST_CASE("sqs: to a FIFO queue go group and deduplication id, its own where a message has none", "[aws]") {
    AwsWorld w;
    REQUIRE(w.run(w.queue()->send({{.body = "1", .group = "item 7", .deduplication_id = "outbox-t1-1"},
                                   {.body = "2", .group = {}, .deduplication_id = {}}})));

    const auto entries = w.wire.bodies("SendMessageBatch").at(0).at("Entries").as_array();
    CHECK(text(entries.at(0).at("MessageDeduplicationId")) == "outbox-t1-1");
    CHECK(text(entries.at(0).at("MessageGroupId")).size() == 64);  // SQS takes no space: its digest
    CHECK(text(entries.at(1).at("MessageGroupId")) == text(entries.at(1).at("MessageDeduplicationId")));
    CHECK(text(entries.at(1).at("MessageGroupId")).starts_with("fresh-"));
}

TEST_CASE("sqs: to a standard queue go neither group nor deduplication id", "[aws]") {
    AwsWorld w;
    REQUIRE(w.run(w.queue("tasks")->send({{.body = "1", .group = "a", .deduplication_id = "d"}})));

    CHECK_FALSE(first_entry(w, "SendMessageBatch").contains("MessageGroupId"));
    CHECK_FALSE(first_entry(w, "SendMessageBatch").contains("MessageDeduplicationId"));
}

TEST_CASE("sqs: a queue that does not exist is named, and asked for again", "[aws]") {
    AwsWorld w;
    w.wire.on("GetQueueUrl", {refusal("QueueDoesNotExist", "The specified queue does not exist."),
                              answer(200, R"({"QueueUrl":"u"})")});
    const auto queue = w.queue();

    const auto sent = w.run(queue->send(numbered(1)));

    REQUIRE_FALSE(sent);
    CHECK(sent.error().code == Errc::not_found);
    CHECK(sent.error().detail.starts_with("there is no queue 'tasks.fifo' in eu-west-9"));
    CHECK(w.run(queue->send(numbered(1))));
}

TEST_CASE("sqs: a long poll asks SQS to wait, and hears what it is told of each message", "[aws]") {
    AwsWorld w;
    w.wire.on("ReceiveMessage", {messages({a_message("1", "r-1"), a_message("2", "r-2", "a")})});

    const auto received = w.run(w.queue()->receive(50, 20s));

    REQUIRE(received);
    REQUIRE(received->size() == 2);
    CHECK(received->at(0).body == "1");
    CHECK(received->at(0).message_id == "id of 1");
    CHECK(received->at(0).receipt == "r-1");
    CHECK(received->at(0).receive_count == 2);
    CHECK(received->at(0).sent_at == TimePoint{1'795'165'200s});
    const auto asked = w.wire.bodies("ReceiveMessage").at(0);
    CHECK(asked.at("MaxNumberOfMessages") == 10);
    CHECK(asked.at("WaitTimeSeconds") == 20);
    CHECK(asked.at("VisibilityTimeout") == 30);
}

TEST_CASE("sqs: acknowledgements that come at once go together, and each hears its own outcome", "[aws]") {
    AwsWorld w;
    const auto queue = w.queue();
    w.wire.on("DeleteMessageBatch", {answer(200, R"({"Successful":[{"Id":"0"}],
                               "Failed":[{"Id":"1","Code":"ReceiptHandleIsInvalid","SenderFault":true}]})")});

    const auto [one, other] = run_both(w.io, w.time, queue->ack("r-1"), queue->ack("r-2"));

    CHECK(one);
    REQUIRE_FALSE(other);
    CHECK(other.error().code == Errc::conflict);
    CHECK(w.wire.count("DeleteMessageBatch") == 1);
}

TEST_CASE("sqs: a lone acknowledgement does not wait for company", "[aws]") {
    AwsWorld w;
    CHECK(w.run(w.queue()->ack("r-1")));

    CHECK(w.clock.now() == t0);
    CHECK(first_entry(w, "DeleteMessageBatch").at("ReceiptHandle") == "r-1");
}

TEST_CASE("sqs: acknowledgements beyond ten, and beyond the requests that may be under way, come in turn", "[aws]") {
    AwsWorld w;
    w.wire.latency = 1s;
    const auto queue = w.queue();
    std::vector<Ended<Result<>>> acks(95);
    for (std::size_t i = 0; i < acks.size(); ++i) start(w.io, queue->ack("r-" + std::to_string(i)), acks[i]);

    w.time.run([&] { return std::ranges::all_of(acks, &Ended<Result<>>::done); });

    std::size_t entries = 0;
    for (const auto& request : w.wire.bodies("DeleteMessageBatch")) {
        CHECK(request.at("Entries").as_array().size() <= 10);
        entries += request.at("Entries").as_array().size();
    }
    CHECK(entries == 95);
    for (auto& ack : acks) CHECK(ack.get());
}

TEST_CASE("sqs: a delivery whose visibility is over is a conflict, and SQS is not asked", "[aws]") {
    AwsWorld w;
    const auto queue = w.queue();
    const auto receipt = receive_one(w, *queue);

    w.time.advance(30s);

    CHECK(w.run(queue->ack(receipt)).error().code == Errc::conflict);
    CHECK(w.run(queue->extend(receipt, 30s)).error().code == Errc::conflict);
    CHECK(w.wire.count("DeleteMessageBatch") + w.wire.count("ChangeMessageVisibilityBatch") == 0);
}

TEST_CASE("sqs: a delivery that is extended lasts longer, and one that was put off is over", "[aws]") {
    AwsWorld w;
    const auto queue = w.queue();
    const auto receipt = receive_one(w, *queue);
    w.time.advance(20s);
    REQUIRE(w.run(queue->extend(receipt, 30s)));
    w.time.advance(20s);

    REQUIRE(w.run(queue->retry_after(receipt, 1500ms)));

    CHECK(w.run(queue->ack(receipt)).error().code == Errc::conflict);
    const auto changes = w.wire.bodies("ChangeMessageVisibilityBatch");
    CHECK(changes.at(0).at("Entries").as_array().at(0).at("VisibilityTimeout") == 30);
    CHECK(changes.at(1).at("Entries").as_array().at(0).at("VisibilityTimeout") == 2);
}

TEST_CASE("sqs: what SQS says of a receipt that is over is a conflict, whatever it calls it", "[aws]") {
    for (const auto* failed :
         {R"({"Id":"0","Code":"ReceiptHandleIsInvalid"})",
          R"({"Id":"0","Code":"AWS.SimpleQueueService.MessageNotInflight"})",
          R"({"Id":"0","Code":"InvalidParameterValue","Message":"Value x for parameter ReceiptHandle is invalid."})"}) {
        AwsWorld w;
        w.wire.on("DeleteMessageBatch", {answer(200, R"({"Failed":[)" + std::string(failed) + "]}")});
        CHECK(w.run(w.queue()->ack("r-1")).error().code == Errc::conflict);
    }
}

TEST_CASE("sqs: its depth counts what waits, what is invisible, and its dead letters", "[aws]") {
    AwsWorld w;
    w.wire.on("GetQueueUrl", [](const ports::HttpRequest& request) {
        return answer(200, json::serialize(json::object{{"QueueUrl", json::parse(request.body).at("QueueName")}}));
    });
    w.wire.on("GetQueueAttributes", [](const ports::HttpRequest& request) {
        if (json::parse(request.body).at("QueueUrl") == "tasks-dlq.fifo")
            return answer(
                200,
                R"({"Attributes":{"ApproximateNumberOfMessages":"3","ApproximateNumberOfMessagesNotVisible":"1"}})");
        return answer(200,
                      R"({"Attributes":{"ApproximateNumberOfMessages":"7","ApproximateNumberOfMessagesNotVisible":"2",
            "ApproximateNumberOfMessagesDelayed":"1",
            "RedrivePolicy":"{\"deadLetterTargetArn\":\"arn:aws:sqs:eu-west-9:1:tasks-dlq.fifo\",\"maxReceiveCount\":5}"}})");
    });

    CHECK(*w.run(w.queue()->depth()) == ports::QueueDepth{.waiting = 7, .in_flight = 3, .dead = 4});
}
