#include <catch2/catch_test_macros.hpp>

#include "support/temp_dir.hpp"
#include "unit/adapters/aws_world.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

const std::string agent = "http://169.254.170.2/creds";
const std::string instance = "http://169.254.169.254/latest";
const std::string roles = instance + "/meta-data/iam/security-credentials/";

std::string issued(const std::string& key, const std::string& until = "2026-11-18T10:00:00Z") {
    return R"({"Code":"Success","AccessKeyId":")" + key + R"(","SecretAccessKey":"s","Token":"t","Expiration":")" +
           until + "\"}";
}

// Nobody has said anything, and there is no instance.
struct Bare : AwsWorld {
    Bare() {
        environment = {{"HOME", home.path().string()}};
        wire.on("PUT " + instance + "/api/token", {Result<ports::HttpResponse>(Error{Errc::unavailable, "no route"})});
        wire.on("ReceiveMessage", {answer(200, "{}")});
    }

    Result<std::vector<ports::Delivery>> receive() {
        if (!queue_) queue_ = queue();
        return run(queue_->receive(1, 0s));
    }
    // Whose key signed the latest request.
    std::string signer() {
        const auto received = receive();
        if (!received) return received.error().detail;
        const std::string text(*ports::find_header(wire.heard.back().headers, "Authorization"));
        const auto begin = text.find("Credential=") + 11;
        return text.substr(begin, text.find('/', begin) - begin);
    }

    TempDir home;
    std::unique_ptr<ports::MessageQueue> queue_;
};

}  // namespace

TEST_CASE("aws credentials: without any, the error says of each source what it lacks", "[aws]") {
    Bare w;

    const auto received = w.receive();

    REQUIRE_FALSE(received);
    CHECK(received.error().code == Errc::blocked);
    CHECK(received.error().detail ==
          "sqs GetQueueUrl: no AWS credentials: environment: AWS_ACCESS_KEY_ID is not set; web identity: "
          "AWS_WEB_IDENTITY_TOKEN_FILE is not set; shared files: no profile 'default'; container: "
          "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI and ..._FULL_URI are not set; instance: " +
              instance + "/api/token: no route");
}

TEST_CASE("aws credentials: the environment comes first, then web identity, files, container and instance", "[aws]") {
    Bare w;
    w.wire.on("PUT " + instance + "/api/token", {answer(200, "session")});
    w.wire.on("GET " + roles, {answer(200, "node-role")});
    w.wire.on("GET " + roles + "node-role", {answer(200, issued("OF-INSTANCE"))});
    SECTION("instance, in its second version") {
        CHECK(w.signer() == "OF-INSTANCE");
        CHECK(std::ranges::any_of(w.wire.heard, [](const auto& request) {
            return action_of(request) == "GET " + roles &&
                   ports::find_header(request.headers, "X-aws-ec2-metadata-token") == "session";
        }));
    }
    w.environment["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/creds";
    w.wire.on("GET " + agent, {answer(200, issued("OF-CONTAINER"))});
    SECTION("container") {
        CHECK(w.signer() == "OF-CONTAINER");
    }
    const auto file = w.home.write("credentials", "[default]\naws_access_key_id = OF-FILE\naws_secret_access_key=s\n");
    w.environment["AWS_SHARED_CREDENTIALS_FILE"] = file;
    SECTION("files") {
        CHECK(w.signer() == "OF-FILE");
    }
    w.environment["AWS_WEB_IDENTITY_TOKEN_FILE"] = w.home.write("token", "vouched for\n");
    w.environment["AWS_ROLE_ARN"] = "arn:aws:iam::1:role/crawler";
    w.wire.on("POST http://aws.test/",
              {answer(200,
                      "<Credentials><AccessKeyId>OF-STS</AccessKeyId><SecretAccessKey>s</SecretAccessKey>"
                      "<SessionToken>t</SessionToken><Expiration>2026-11-18T10:00:00Z</Expiration></Credentials>")});
    SECTION("web identity") {
        CHECK(w.signer() == "OF-STS");
        const auto& asked = w.wire.heard.front();
        CHECK(asked.body ==
              "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fcrawler"
              "&RoleSessionName=crawler&WebIdentityToken=vouched%20for");
        CHECK_FALSE(ports::find_header(asked.headers, "Authorization"));
    }
    w.environment["AWS_ACCESS_KEY_ID"] = "OF-ENVIRONMENT";
    w.environment["AWS_SECRET_ACCESS_KEY"] = "s";
    SECTION("environment") {
        CHECK(w.signer() == "OF-ENVIRONMENT");
    }
}

TEST_CASE("aws credentials: a source that is set up and fails is named, and no other is asked", "[aws]") {
    Bare w;
    w.environment["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/creds";
    w.environment["AWS_WEB_IDENTITY_TOKEN_FILE"] = w.home.write("token", "stale");
    w.environment["AWS_ROLE_ARN"] = "arn:role";
    w.wire.on("POST http://aws.test/",
              {answer(400, "<Error><Code>ExpiredTokenException</Code><Message>old</Message></Error>")});

    CHECK(w.receive().error() == Error{Errc::blocked,
                                       "sqs GetQueueUrl: AWS credentials: web identity: sts AssumeRoleWithWebIdentity "
                                       "for arn:role: ExpiredTokenException: old"});
    CHECK(w.wire.count("GET " + agent) == 0);
}

TEST_CASE("aws credentials: half of a key in the environment is an error", "[aws]") {
    Bare w;
    w.environment["AWS_ACCESS_KEY_ID"] = "AKID";
    CHECK(w.receive().error().detail.ends_with("AWS_ACCESS_KEY_ID is set, AWS_SECRET_ACCESS_KEY is not"));
}

TEST_CASE("aws credentials: a profile is looked for in both files", "[aws]") {
    Bare w;
    w.environment["AWS_SHARED_CREDENTIALS_FILE"] = w.home.write(
        "credentials",
        "# keys\n[default]\naws_access_key_id=A\naws_secret_access_key=s\n[ops]\naws_access_key_id = OPS\n");
    w.environment["AWS_CONFIG_FILE"] =
        w.home.write("config",
                     "[profile ops]\nregion=x\naws_secret_access_key = s\ns3 =\n  aws_access_key_id = nested\n"
                     "[profile sso]\nsso_session = us\n");

    SECTION("the configured one") {
        w.config.profile = "ops";
        CHECK(w.signer() == "OPS");
    }
    SECTION("the environment's") {
        w.environment["AWS_PROFILE"] = "ops";
        CHECK(w.signer() == "OPS");
    }
    SECTION("one that is not there is an error") {
        w.config.profile = "dev";
        CHECK(w.signer().ends_with("shared files: profile 'dev' is in none of them"));
    }
    SECTION("one of a kind that is not supported is an error") {
        w.config.profile = "sso";
        CHECK(w.signer().find("profile 'sso' says sso_session, which is not supported") != std::string::npos);
    }
}

TEST_CASE("aws credentials: a container's agent gets the token of the file as it is now", "[aws]") {
    Bare w;
    w.environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = "http://169.254.170.23/v1/credentials";
    w.environment["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] = w.home.write("pod-token", "first\n");
    w.wire.on("GET http://169.254.170.23/v1/credentials",
              {answer(200, issued("ONE")), answer(200, issued("TWO", "2026-11-18T12:00:00Z"))});
    CHECK(w.signer() == "ONE");
    CHECK(ports::find_header(w.wire.heard.front().headers, "Authorization") == "first");

    w.home.write("pod-token", "second\n");
    w.time.advance(56min);

    CHECK(w.signer() == "TWO");
    CHECK(std::ranges::any_of(w.wire.heard, [](const auto& request) {
        return ports::find_header(request.headers, "Authorization") == "second";
    }));
}

TEST_CASE("aws credentials: a container's agent must be beside it, or behind TLS", "[aws]") {
    Bare w;
    w.environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = "http://169.254.170.2.evil.example/";
    CHECK(w.receive().error().detail.find("must be https") != std::string::npos);
    CHECK(w.wire.heard.empty());
}

TEST_CASE("aws credentials: they are fetched once for all who ask at once, and again before they are over", "[aws]") {
    Bare w;
    w.environment["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/creds";
    w.wire.on("GET " + agent, {answer(200, issued("ONE")), answer(200, issued("TWO", "2026-11-18T12:00:00Z"))});
    w.wire.latency = 100ms;
    const auto queue = w.queue();

    const auto [one, other] = run_both(w.io, w.time, queue->receive(1, 0s), queue->depth());

    CHECK(one);
    CHECK(w.wire.count("GET " + agent) == 1);

    w.time.advance(54min);
    CHECK(w.run(queue->receive(1, 0s)));
    CHECK(w.wire.count("GET " + agent) == 1);
    w.time.advance(1min);
    CHECK(w.run(queue->receive(1, 0s)));
    CHECK(w.wire.count("GET " + agent) == 2);
}

TEST_CASE("aws credentials: old ones serve as long as they hold while new ones cannot be had", "[aws]") {
    Bare w;
    w.environment["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/creds";
    w.wire.on("GET " + agent, {answer(200, issued("ONE")), answer(404, "")});
    CHECK(w.signer() == "ONE");

    w.time.advance(56min);
    CHECK(w.signer() == "ONE");

    w.time.advance(5min);
    CHECK(w.signer() == "sqs ReceiveMessage: AWS credentials: container: " + agent + ": HTTP 404");
}

TEST_CASE("aws credentials: an agent that stalls is a named timeout", "[aws]") {
    Bare w;
    w.environment["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/creds";
    w.wire.stalls = true;

    CHECK(w.receive().error() ==
          Error{Errc::timeout, "sqs GetQueueUrl: AWS credentials: container: " + agent + ": no answer in time"});
}
