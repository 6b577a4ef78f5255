#include <catch2/catch_test_macros.hpp>

#include "unit/adapters/aws_world.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;
using ports::QueuePart;

namespace {

struct DeskWorld : AwsWorld {
    explicit DeskWorld(bool has_dead_letters = true) {
        wire.on("GetQueueUrl", [](const ports::HttpRequest& request) {
            return answer(200, json::serialize(json::object{{"QueueUrl", json::parse(request.body).at("QueueName")}}));
        });
        wire.on("GetQueueAttributes", [this, has_dead_letters](const ports::HttpRequest& request) {
            json::object attributes{
                {"ApproximateNumberOfMessages", std::to_string(lying.size())},
                {"QueueArn", "arn:" + std::string(json::parse(request.body).at("QueueUrl").as_string())}};
            if (has_dead_letters)
                attributes["RedrivePolicy"] =
                    R"({"deadLetterTargetArn":"arn:aws:sqs:e:1:dead.fifo","maxReceiveCount":5})";
            return answer(200, json::serialize(json::object{{"Attributes", attributes}}));
        });
        wire.on("ReceiveMessage", [this](const ports::HttpRequest& request) {
            const auto most = json::parse(request.body).at("MaxNumberOfMessages").as_int64();
            json::array some;
            while (!lying.empty() && std::ssize(some) < most) {
                some.push_back(lying.front());
                lying.pop_front();
            }
            return messages(some);
        });
    }

    Result<std::size_t> redrive(int limit) { return run(desk()->redrive(limit)); }
    std::unique_ptr<ports::QueueDesk> desk() { return adapters::make_sqs_desk(aws(), {.queue = "tasks.fifo"}); }
    json::array entries(const std::string& action) const { return wire.bodies(action).at(0).at("Entries").as_array(); }

    std::deque<json::object> lying;
};

}  // namespace

TEST_CASE("sqs desk: what is looked at is given back at once", "[aws]") {
    DeskWorld w;
    w.lying = {a_message("1", "r-1", "a"), a_message("2", "r-2", "b")};

    const auto seen = w.run(w.desk()->peek(QueuePart::waiting, 10));

    REQUIRE(seen);
    REQUIRE(seen->size() == 2);
    CHECK(seen->at(0).body == "1");
    CHECK(seen->at(0).group == "a");
    CHECK(seen->at(0).receive_count == 1);  // ours is not counted
    CHECK(w.entries("ChangeMessageVisibilityBatch").size() == 2);
    CHECK(w.entries("ChangeMessageVisibilityBatch").at(1).at("VisibilityTimeout") == 0);
    CHECK(w.wire.count("DeleteMessageBatch") == 0);
}

TEST_CASE("sqs desk: dead letters are looked for where the RedrivePolicy says", "[aws]") {
    DeskWorld w;
    w.lying = {a_message("poison", "r-1", "a")};

    CHECK(w.run(w.desk()->peek(QueuePart::dead, 10))->size() == 1);
    CHECK(w.wire.bodies("ReceiveMessage").at(0).at("QueueUrl") == "dead.fifo");
}

TEST_CASE("sqs desk: a queue without a RedrivePolicy has no dead letters", "[aws]") {
    DeskWorld w(false);

    CHECK(w.run(w.desk()->peek(QueuePart::dead, 10))->empty());
    CHECK(*w.redrive(10) == 0);
    CHECK(*w.run(w.desk()->purge(QueuePart::dead, 10)) == 0);
}

TEST_CASE("sqs desk: all dead letters are moved by SQS itself", "[aws]") {
    DeskWorld w;
    w.lying = {a_message("1", "r-1", "a"), a_message("2", "r-2", "a")};
    w.wire.on("StartMessageMoveTask", {answer(200, R"({"TaskHandle":"h"})")});
    w.wire.on("ListMessageMoveTasks",
              {answer(200, R"({"Results":[{"Status":"RUNNING","ApproximateNumberOfMessagesMoved":1}]})"),
               answer(200, R"({"Results":[{"Status":"COMPLETED","ApproximateNumberOfMessagesMoved":2}]})")});

    CHECK(*w.redrive(100) == 2);

    CHECK(w.wire.bodies("StartMessageMoveTask").at(0) == json::object{{"SourceArn", "arn:dead.fifo"}});
    CHECK(w.wire.count("SendMessageBatch") == 0);
}

TEST_CASE("sqs desk: where SQS cannot, or only some are asked for, they are sent again, past deduplication", "[aws]") {
    DeskWorld w;
    w.lying = {a_message("1", "r-1", "a"), a_message("2", "r-2", "a"), a_message("3", "r-3", "a")};

    SECTION("SQS cannot") {
        w.wire.on("StartMessageMoveTask", {refusal("UnsupportedOperation")});
        CHECK(*w.redrive(100) == 3);
        CHECK(w.entries("SendMessageBatch").size() == 3);
    }
    SECTION("two of three") {
        CHECK(*w.redrive(2) == 2);
        CHECK(w.wire.count("StartMessageMoveTask") == 0);
        CHECK(w.lying.size() == 1);
    }

    const auto sent = w.entries("SendMessageBatch").at(0);
    CHECK(sent.at("MessageBody") == "1");
    CHECK(sent.at("MessageGroupId") == "a");
    CHECK(sent.at("MessageDeduplicationId").as_string().starts_with("fresh-"));
    CHECK(w.entries("DeleteMessageBatch").at(0).at("ReceiptHandle") == "r-1");
}

TEST_CASE("sqs desk: a dead letter that cannot be sent stays one", "[aws]") {
    DeskWorld w;
    w.lying = {a_message("1", "r-1", "a"), a_message("2", "r-2", "a")};
    w.wire.on("StartMessageMoveTask", {refusal("UnsupportedOperation")});
    w.wire.on("SendMessageBatch",
              {answer(200, R"({"Successful":[{"Id":"0"}],"Failed":[{"Id":"1","Code":"InternalError"}]})")});

    CHECK(*w.redrive(100) == 1);

    CHECK(w.entries("DeleteMessageBatch").size() == 1);
    CHECK(w.entries("ChangeMessageVisibilityBatch").at(0).at("ReceiptHandle") == "r-2");
}

TEST_CASE("sqs desk: a purge deletes what can be received, up to its limit", "[aws]") {
    DeskWorld w;
    for (int i = 0; i < 25; ++i) w.lying.push_back(a_message(std::to_string(i), "r-" + std::to_string(i)));

    CHECK(*w.run(w.desk()->purge(QueuePart::waiting, 12)) == 12);
    CHECK(w.lying.size() == 13);
    CHECK(*w.run(w.desk()->purge(QueuePart::waiting, 100)) == 13);
}
