// What goes wrong between us and AWS: every one is a named error, and none a hang.
#include <catch2/catch_test_macros.hpp>

#include "unit/adapters/aws_world.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

const auto nothing = answer(200, "{}");

std::string header(const ports::HttpRequest& request, const char* name) {
    return std::string(ports::find_header(request.headers, name).value_or(""));
}

struct Receiving : AwsWorld {
    Result<std::vector<ports::Delivery>> receive(std::deque<Result<ports::HttpResponse>> answers) {
        wire.on("ReceiveMessage", std::move(answers));
        return run(queue()->receive(1, 0s));
    }
    std::size_t tries() const { return wire.count("ReceiveMessage"); }
};

}  // namespace

TEST_CASE("aws: every request is signed, for its service and region", "[aws]") {
    Receiving w;
    REQUIRE(w.receive({nothing}));

    CHECK(header(w.wire.heard.back(), "Authorization")
              .starts_with(
                  "AWS4-HMAC-SHA256 Credential=AKID/20261118/eu-west-9/sqs/aws4_request, SignedHeaders=content-type;"
                  "host;x-amz-date;x-amz-target, Signature="));
    CHECK(header(w.wire.heard.back(), "Content-Type") == "application/x-amz-json-1.0");
}

TEST_CASE("aws: without an endpoint of its own it is the region's, over TLS", "[aws]") {
    Receiving w;
    w.config.endpoint.clear();
    REQUIRE(w.receive({nothing}));

    CHECK(w.wire.heard.back().url == "https://sqs.eu-west-9.amazonaws.com/");
}

TEST_CASE("aws: what was throttled or failed on the other side is asked again, after a wait", "[aws]") {
    for (const auto& first :
         {refusal("ThrottlingException"), refusal("InternalFailure", "oops", 500), answer(503, "<html>busy</html>"),
          answer(429, ""), Result<ports::HttpResponse>(Error{Errc::unavailable, "aws.test:80: reset by peer"})}) {
        Receiving w;

        CHECK(w.receive({first, nothing}));

        CHECK(w.tries() == 2);
        CHECK(w.clock.now() > t0);
    }
}

TEST_CASE("aws: what stays throttled is that, once the retries are spent", "[aws]") {
    Receiving w;

    const auto received = w.receive({refusal("ThrottlingException", "Rate exceeded")});

    REQUIRE_FALSE(received);
    CHECK(received.error().code == Errc::rate_limited);
    CHECK(received.error().detail == "sqs ReceiveMessage: ThrottlingException: Rate exceeded");
    CHECK(w.tries() == 6);
}

TEST_CASE("aws: garbage is an answer of nobody we know", "[aws]") {
    for (const auto* body : {"<html>login here</html>", "[]", "{\"Messages\":"}) {
        Receiving w;
        const auto received = w.receive({answer(200, body)});
        REQUIRE_FALSE(received);
        CHECK(received.error().code == Errc::unavailable);
        CHECK(received.error().detail.find("not JSON: " + std::string(body)) != std::string::npos);
    }
}

TEST_CASE("aws: a message without receipt or body is refused whole", "[aws]") {
    Receiving w;
    CHECK(w.receive({answer(200, R"({"Messages":[{"MessageId":"1","Body":"b"}]})")}).error().code == Errc::unavailable);
}

TEST_CASE("aws: a server that stalls is a timeout within the deadline, the long poll on top", "[aws]") {
    Receiving w;
    w.wire.on("ReceiveMessage", {nothing});
    const auto queue = w.queue();
    REQUIRE(w.run(queue->receive(1, 0s)));  // the queue's URL is known
    w.wire.stalls = true;

    const auto received = w.run(queue->receive(1, 20s));

    REQUIRE_FALSE(received);
    CHECK(received.error().code == Errc::timeout);
    CHECK(received.error().detail.starts_with("sqs ReceiveMessage: not done within 50 s"));
    CHECK(w.clock.now() == t0 + 50s);
}

TEST_CASE("aws: credentials that are refused are an error that a retry does not mend", "[aws]") {
    Receiving w;

    const auto received =
        w.receive({refusal("AccessDeniedException", "not authorized to perform: sqs:ReceiveMessage", 403)});

    CHECK(received.error().code == Errc::blocked);
    CHECK(w.tries() == 1);
}

TEST_CASE("aws: refusals in XML are understood too", "[aws]") {
    Receiving w;
    const auto received = w.receive({answer(
        403, "<ErrorResponse><Error><Code>InvalidSignature</Code><Message>wrong</Message></Error></ErrorResponse>")});

    CHECK(received.error() == Error{Errc::blocked, "sqs ReceiveMessage: InvalidSignature: wrong"});
}

TEST_CASE("aws: a clock that is off is corrected by the answer's Date, once", "[aws]") {
    const auto skewed = [] {
        auto refused = refusal("InvalidSignatureException", "Signature not yet current", 403);
        refused->headers = {{"Date", "Wed, 18 Nov 2026 10:00:00 GMT"}};  // an hour from now
        return refused;
    };

    SECTION("and stays corrected") {
        Receiving w;
        CHECK(w.receive({skewed(), nothing}));
        CHECK(w.tries() == 2);
        CHECK(header(w.wire.heard.back(), "X-Amz-Date") == "20261118T100000Z");
        CHECK(w.clock.now() == t0);
    }
    SECTION("where that does not help, the signature is wrong") {
        Receiving w;
        CHECK(w.receive({skewed()}).error().code == Errc::blocked);
        CHECK(w.tries() == 2);
    }
}

TEST_CASE("aws: a token that has expired early is replaced, once", "[aws]") {
    Receiving w;

    CHECK(w.receive({refusal("ExpiredTokenException", "expired", 403), nothing}));
    CHECK(w.tries() == 2);

    Receiving again;
    CHECK(again.receive({refusal("ExpiredTokenException", "expired", 403)}).error().code == Errc::blocked);
    CHECK(again.tries() == 2);
}

TEST_CASE("aws: Retry-After is obeyed", "[aws]") {
    Receiving w;
    CHECK(w.receive({answer(503, "", {{"Retry-After", "7"}}), nothing}));
    CHECK(w.clock.now() == t0 + 7s);
}
