// What only shows on somebody who plays AWS whole: credentials that are verified, queues that are not there, messages that are too big.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <regex>

#include "account.hpp"
#include "contract/queue_steps.hpp"
#include "support/builders.hpp"
#include "support/emulator.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

// Moto looks at signatures from when it was asked a number of times; the first questions are the setup.
struct VerifiedAccount {
    Emulator emulator{"verifying"};
    Account setup{emulator.url()};
    std::string key;
    std::string secret;
    std::string queue_name = setup.new_name("verified-") + ".fifo";

    VerifiedAccount() {
        verify_after("1000000000");
        setup.run(create_queue(*setup.http, {emulator.url(), "ap-northeast-2", "123456789012"}, {.name = queue_name}));
        const auto user = setup.new_name("user-");
        iam("Action=CreateUser&UserName=" + user);
        iam("Action=PutUserPolicy&PolicyName=all&UserName=" + user +
            "&PolicyDocument=%7B%22Version%22%3A%222012-10-17%22%2C%22Statement%22%3A%5B%7B%22Effect%22%3A%22Allow%22%"
            "2C%22Action%22%3A"
            "%22%2A%22%2C%22Resource%22%3A%22%2A%22%7D%5D%7D");
        const auto made = iam("Action=CreateAccessKey&UserName=" + user);
        key = between(made, "<AccessKeyId>", "</AccessKeyId>");
        secret = between(made, "<SecretAccessKey>", "</SecretAccessKey>");
        verify_after("0");
    }
    ~VerifiedAccount() { verify_after("1000000000"); }
    VerifiedAccount(const VerifiedAccount&) = delete;
    VerifiedAccount& operator=(const VerifiedAccount&) = delete;

  private:
    void verify_after(const std::string& questions) {
        ports::HttpRequest request{.method = "POST", .url = emulator.url() + "/moto-api/reset-auth", .body = questions};
        REQUIRE(setup.run(setup.http->send(request)));
    }
    std::string iam(const std::string& query) {
        ports::HttpRequest request{.method = "POST",
                                   .url = emulator.url() + "/",
                                   .headers = {{"Content-Type", "application/x-www-form-urlencoded"},
                                               {"Authorization",
                                                "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/iam/aws4_request, "
                                                "SignedHeaders=host, Signature=0"}},
                                   .body = query + "&Version=2010-05-08"};
        auto answer = setup.run(setup.http->send(request));
        REQUIRE(answer);
        INFO(answer->body);
        REQUIRE(answer->status == 200);
        return answer->body;
    }
    static std::string between(const std::string& text, const std::string& begin, const std::string& end) {
        const auto from = text.find(begin) + begin.size();
        return text.substr(from, text.find(end, from) - from);
    }
};

}  // namespace

TEST_CASE("aws: a signature is taken where signatures are verified") {
    const VerifiedAccount verified;
    Account account(verified.emulator.url(), key_of(verified.key, verified.secret));
    const auto queue = account.queue(verified.queue_name);

    const auto sent = account.run(queue->send({{.body = R"({"name":"가방 👜 + / = ~"})"}}));

    REQUIRE(sent);
    CHECK(sent->at(0));
    const auto received = account.run(queue->receive(10, Duration{0}));
    REQUIRE(received);
    REQUIRE(received->size() == 1);
    CHECK(account.run(queue->ack(received->front().receipt)));
    CHECK(account.run(account.rules()->put(rule_of(seller_id("s1"), days(1)))));
}

TEST_CASE("aws: wrong credentials are blocked, and named") {
    const VerifiedAccount verified;
    const auto [key, secret] = GENERATE_REF(table<std::string, std::string>(
        {{verified.key, verified.secret + "x"}, {"AKIANOBODYKNOWSTHIS1", verified.secret}}));
    Account account(verified.emulator.url(), key_of(key, secret));
    const auto queue = account.queue(verified.queue_name);

    const auto sent = account.run(queue->send({{.body = "1"}}));
    CHECK(code_of(sent) == "BLOCKED");
    CHECK_FALSE(sent.error().detail.empty());
    CHECK(sent.error().detail.find(secret) == std::string::npos);
    CHECK(code_of(account.run(queue->receive(10, Duration{0}))) == "BLOCKED");
    CHECK(code_of(account.run(queue->depth())) == "BLOCKED");
    CHECK(code_of(account.run(account.rules()->put(rule_of(seller_id("s1"), days(1))))) == "BLOCKED");
}

TEST_CASE("aws: a queue that is not there is not found, and named") {
    const Emulator emulator{GENERATE("elasticmq", "moto")};
    Account account(emulator.url());
    const auto name = account.new_name("nowhere-") + ".fifo";
    const auto queue = account.queue(name);

    const auto sent = account.run(queue->send({{.body = "1"}}));
    CHECK(code_of(sent) == "NOT_FOUND");
    CHECK(sent.error().detail.find(name) != std::string::npos);
    CHECK(code_of(account.run(queue->receive(10, Duration{0}))) == "NOT_FOUND");
    CHECK(code_of(account.run(queue->depth())) == "NOT_FOUND");
}

TEST_CASE("aws: a queue that is made later is found then") {
    const Emulator emulator{"elasticmq"};
    Account account(emulator.url());
    const auto name = account.new_name("later-") + ".fifo";
    const auto queue = account.queue(name);
    REQUIRE(code_of(account.run(queue->send({{.body = "1"}}))) == "NOT_FOUND");

    account.run(create_queue(*account.http, {emulator.url(), "elasticmq", "000000000000"}, {.name = name}));

    CHECK(account.run(queue->send({{.body = "1"}})));
}

TEST_CASE("aws: a message that is too big is invalid, and holds up no other") {
    const Emulator emulator{GENERATE("elasticmq", "moto")};
    Account account(emulator.url());
    const auto name = account.new_name("big-") + ".fifo";
    const bool is_moto = emulator.url() == Emulator("moto").url();
    account.run(create_queue(
        *account.http,
        {emulator.url(), is_moto ? "ap-northeast-2" : "elasticmq", is_moto ? "123456789012" : "000000000000"},
        {.name = name}));
    const auto queue = account.queue(name);

    const auto sent = account.run(queue->send({{.body = "1"}, {.body = std::string(1'100'000, 'x')}, {.body = "3"}}));

    REQUIRE(sent);
    REQUIRE(sent->size() == 3);
    CHECK(sent->at(0));
    CHECK(code_of(sent->at(1)) == "INVALID");
    CHECK(sent->at(2));
    CHECK(account.run(queue->receive(10, Duration{0}))->size() == 2);
}

TEST_CASE("aws: a queue without an order keeps no group back") {
    const Emulator emulator{"elasticmq"};
    Account account(emulator.url());
    const auto name = account.new_name("standard-");
    account.run(create_queue(*account.http, {emulator.url(), "elasticmq", "000000000000"}, {.name = name}));
    const auto queue = account.queue(name);

    const auto sent = account.run(queue->send({{.body = "a1", .group = "a"}, {.body = "a2", .group = "a"}}));

    REQUIRE(sent);
    const auto received = account.run(queue->receive(10, Duration{0}));
    REQUIRE(received);
    CHECK(received->size() == 2);
    for (const auto& delivery : *received) CHECK(account.run(queue->ack(delivery.receipt)));
    CHECK(*account.run(queue->depth()) == ports::QueueDepth{});
}
