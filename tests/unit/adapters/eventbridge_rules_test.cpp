#include <catch2/catch_test_macros.hpp>

#include "unit/adapters/aws_world.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

const std::string arn = "arn:aws:sqs:eu-west-9:1:triggers";

ScheduleRule a_rule() {
    return {.name = "mustit-crawler-shop-1", .expression = "rate(3 days)", .input = R"({"sellerId":"shop-1"})"};
}

struct RuleWorld : AwsWorld {
    RuleWorld() {
        wire.on("PutRule", {answer(200, R"({"RuleArn":"arn:rule"})")});
        wire.on("PutTargets", {answer(200, R"({"FailedEntryCount":0,"FailedEntries":[]})")});
        wire.on("RemoveTargets", {answer(200, R"({"FailedEntryCount":0,"FailedEntries":[]})")});
        wire.on("DeleteRule", {answer(200, "")});
        wire.on("ListTargetsByRule",
                {answer(200, R"({"Targets":[{"Id":"trigger-queue","Arn":"a","Input":"{}"},{"Id":"x"}]})")});
    }

    std::unique_ptr<ports::ScheduleRules> rules(const std::string& target = arn + ".fifo") {
        return adapters::make_eventbridge_rules(aws(), {.target_arn = target});
    }
};

}  // namespace

TEST_CASE("eventbridge: a rule is put with its rate, and aimed at the trigger queue", "[aws]") {
    RuleWorld w;

    REQUIRE(w.run(w.rules()->put(a_rule())));

    const auto rule = w.wire.bodies("PutRule").at(0);
    CHECK(rule.at("Name") == "mustit-crawler-shop-1");
    CHECK(rule.at("ScheduleExpression") == "rate(3 days)");
    CHECK(rule.at("State") == "ENABLED");
    CHECK(
        json::serialize(w.wire.bodies("PutTargets").at(0)) ==
        R"({"Rule":"mustit-crawler-shop-1","Targets":[{"Id":"trigger-queue","Arn":"arn:aws:sqs:eu-west-9:1:triggers.fifo",)"
        R"("Input":"{\"sellerId\":\"shop-1\"}","SqsParameters":{"MessageGroupId":"mustit-crawler-shop-1"}}]})");
    CHECK(ports::find_header(w.wire.heard.back().headers, "X-Amz-Target") == "AWSEvents.PutTargets");
    CHECK(ports::find_header(w.wire.heard.back().headers, "Content-Type") == "application/x-amz-json-1.1");
}

TEST_CASE("eventbridge: a rule that does not fire is put disabled", "[aws]") {
    RuleWorld w;
    auto rule = a_rule();
    rule.enabled = false;
    REQUIRE(w.run(w.rules()->put(rule)));

    CHECK(w.wire.bodies("PutRule").at(0).at("State") == "DISABLED");
}

TEST_CASE("eventbridge: a standard queue gets no group", "[aws]") {
    RuleWorld w;
    REQUIRE(w.run(w.rules(arn)->put(a_rule())));

    CHECK_FALSE(w.wire.bodies("PutTargets").at(0).at("Targets").as_array().at(0).as_object().contains("SqsParameters"));
}

TEST_CASE("eventbridge: a target that is refused is an error", "[aws]") {
    RuleWorld w;
    w.wire.on(
        "PutTargets",
        {answer(200, R"({"FailedEntryCount":1,"FailedEntries":[{"TargetId":"trigger-queue","ErrorCode":"AccessDenied",
                              "ErrorMessage":"not yours"}]})")});

    CHECK(w.run(w.rules()->put(a_rule())).error() ==
          Error{Errc::blocked, "events PutTargets: AccessDenied: not yours"});
}

TEST_CASE("eventbridge: a name or an expression that is none is invalid, and nobody is asked", "[aws]") {
    RuleWorld w;
    auto nameless = a_rule();
    nameless.name = "머스트잇";
    auto cron = a_rule();
    cron.expression = "cron(0 9 * * ? *)";

    CHECK(w.run(w.rules()->put(nameless)).error().code == Errc::invalid);
    CHECK(w.run(w.rules()->put(cron)).error().code == Errc::invalid);
    CHECK(w.wire.heard.empty());
}

TEST_CASE("eventbridge: a rule is removed with all its targets", "[aws]") {
    RuleWorld w;

    REQUIRE(w.run(w.rules()->remove(a_rule().name)));

    CHECK(w.wire.bodies("RemoveTargets").at(0).at("Ids") == json::array{"trigger-queue", "x"});
    CHECK(w.wire.bodies("DeleteRule").at(0).at("Name").as_string() == a_rule().name);
}

TEST_CASE("eventbridge: removing what is not there is success", "[aws]") {
    for (const auto* step : {"ListTargetsByRule", "RemoveTargets", "DeleteRule"}) {
        RuleWorld w;
        w.wire.on(step, {refusal("ResourceNotFoundException")});
        CHECK(w.run(w.rules()->remove(a_rule().name)));
    }
}

TEST_CASE("eventbridge: a refusal to remove is an error", "[aws]") {
    RuleWorld w;
    w.wire.on("DeleteRule", {refusal("ManagedRuleException")});
    CHECK(w.run(w.rules()->remove(a_rule().name)).error().code == Errc::invalid);
}

TEST_CASE("eventbridge: a rule is found with what it sends, and empty where there is none", "[aws]") {
    RuleWorld w;
    w.wire.on("DescribeRule", {answer(200, R"j({"Name":"n","ScheduleExpression":"rate(1 day)","State":"DISABLED"})j"),
                               refusal("ResourceNotFoundException")});
    const auto rules = w.rules();

    const auto found = w.run(rules->find("n"));
    CHECK((**found == ScheduleRule{.name = "n", .expression = "rate(1 day)", .input = "{}", .enabled = false}));
    const auto none = w.run(rules->find("n"));
    REQUIRE(none);
    CHECK_FALSE(none->has_value());
}
