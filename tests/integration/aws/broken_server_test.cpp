// AWS that is down, in every way we could think of: each is a named error, and none makes anybody wait for ever.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "account.hpp"
#include "impostor.hpp"
#include "support/builders.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

// What every call of the queue and of the rules says to such a server.
std::vector<std::string> codes_of(const std::string& url) {
    Account account(url);
    const auto queue = account.queue("any.fifo");
    const auto rules = account.rules();
    std::vector<std::string> codes;
    const auto note = [&](const auto& result) { codes.emplace_back(code_of(result)); };
    note(account.run(queue->send({{.body = "1"}})));
    note(account.run(queue->receive(10, Duration{0})));
    note(account.run(queue->ack("receipt")));
    note(account.run(queue->depth()));
    note(account.run(rules->put(rule_of(seller_id("s1"), days(1)))));
    note(account.run(rules->remove("mustit-crawler-s1")));
    note(account.run(rules->find("mustit-crawler-s1")));
    return codes;
}

std::vector<std::string> all(const std::string& code) {
    return std::vector<std::string>(7, code);
}

}  // namespace

TEST_CASE("aws: a server that nobody listens on is unavailable") {
    std::string url;
    {
        const Impostor gone([](const auto&) { return ports::HttpResponse{}; });
        url = gone.url();
    }
    CHECK(codes_of(url) == all("UNAVAILABLE"));
}

TEST_CASE("aws: a server that says nothing is a timeout") {
    const Impostor silent([](const auto&) { return ports::HttpResponse{.body = "{}"}; },
                          [](auto&) { return adapters::BadDelivery{.piece = 1, .pause = 10s}; });
    CHECK(codes_of(silent.url()) == all("TIMEOUT"));
}

TEST_CASE("aws: a server that resets its connections is unavailable, and is asked twice") {
    const Impostor resetting([](const auto&) { return ports::HttpResponse{}; },
                             [](auto&) { return adapters::BadDelivery{.reset = true}; });
    CHECK(codes_of(resetting.url()) == all("UNAVAILABLE"));
    CHECK(resetting.asked() >= 14);
}

TEST_CASE("aws: a server that answers what AWS never would is unavailable") {
    const std::string body =
        GENERATE("<html>It works!</html>", "", "[]", "{\"Messages\":17,\"QueueUrl\":5}", "\xff\xfe");
    const Impostor strange([&](const auto&) { return ports::HttpResponse{.body = body}; });

    Account account(strange.url());
    const auto queue = account.queue("any.fifo");
    CHECK(code_of(account.run(queue->receive(10, Duration{0}))) == "UNAVAILABLE");
    CHECK(code_of(account.run(queue->depth())) == "UNAVAILABLE");
    CHECK(code_of(account.run(queue->send({{.body = "1"}}))) == "UNAVAILABLE");
}

TEST_CASE("aws: an error that AWS says in no words of its own is named by its status") {
    const auto [status, code] = GENERATE(table<int, std::string>(
        {{500, "UNAVAILABLE"}, {503, "UNAVAILABLE"}, {429, "RATE_LIMITED"}, {403, "BLOCKED"}, {400, "INVALID"}}));
    const Impostor refusing([status](const auto&) { return ports::HttpResponse{.status = status, .body = "no"}; });

    Account account(refusing.url());
    CHECK(code_of(account.run(account.queue("any.fifo")->receive(10, Duration{0}))) == code);
}

TEST_CASE("aws: what is throttled is asked again, and is then as good as any other") {
    int asked = 0;
    const Impostor busy([&](const auto&) {
        if (++asked % 2 == 1) return refusal(400, "com.amazonaws.sqs#ThrottlingException");
        return ports::HttpResponse{.body = R"({"QueueUrl":"http://127.0.0.1/1/any.fifo","Messages":[]})"};
    });

    Account account(busy.url());
    CHECK(account.run(account.queue("any.fifo")->receive(10, Duration{0})));
}

TEST_CASE("aws: of a batch that was taken in part each message has its own answer") {
    const Impostor partial([](const ports::HttpRequest& request) {
        const auto action = ports::find_header(request.headers, "X-Amz-Target").value_or("");
        if (action.ends_with("GetQueueUrl"))
            return ports::HttpResponse{.body = R"({"QueueUrl":"http://127.0.0.1/1/any.fifo"})"};
        // The ids are the adapter's own: they are taken from its request, in its order.
        std::vector<std::string> entries;
        const std::string mark = R"("Id":")";
        for (auto at = request.body.find(mark); at != std::string::npos; at = request.body.find(mark, at + 1)) {
            const auto begin = at + mark.size();
            entries.push_back(request.body.substr(begin, request.body.find('"', begin) - begin));
        }
        if (entries.size() != 3) return refusal(400, "com.amazonaws.sqs#EmptyBatchRequest");
        return ports::HttpResponse{
            .body = R"({"Failed":[{"Id":")" + entries[1] +
                    R"(","Code":"InternalError","SenderFault":false,"Message":"try later"},)" + R"({"Id":")" +
                    entries[2] + R"(","Code":"InvalidMessageContents","SenderFault":true,"Message":"bad"}],)" +
                    R"("Successful":[{"Id":")" + entries[0] +
                    R"(","MessageId":"m","MD5OfMessageBody":"c4ca4238a0b923820dcc509a6f75849b"}]})"};
    });

    Account account(partial.url());
    const auto sent = account.run(account.queue("any.fifo")->send({{.body = "1"}, {.body = "2"}, {.body = "3"}}));

    REQUIRE(sent);
    REQUIRE(sent->size() == 3);
    CHECK(sent->at(0));
    CHECK(code_of(sent->at(1)) == "UNAVAILABLE");
    CHECK(code_of(sent->at(2)) == "INVALID");
}
