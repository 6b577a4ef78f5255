#include "trigger/trigger_message.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace crawler;

TEST_CASE("trigger message: names the seller, whatever else is in it") {
    const auto seller = services::read_trigger_message(R"({"sellerId":"셀러_1","more":[1,2]})");
    REQUIRE(seller);
    CHECK(seller->value() == "셀러_1");
}

namespace {

std::string event(const std::string& resources, const std::string& detail = "{}") {
    return R"({"version":"0","id":"53dc4d37","detail-type":"Scheduled Event","source":"aws.events","account":"123456789012",)"
           R"("time":"2026-11-18T09:00:00Z","region":"ap-northeast-2","resources":)" +
           resources + R"(,"detail":)" + detail + "}";
}

}  // namespace

TEST_CASE("trigger message: EventBridge's whole event says whose rule fired") {
    const auto* arn = "arn:aws:events:ap-northeast-2:123456789012:rule/";
    for (const auto& body : {event(R"([")" + std::string(arn) + R"(mustit-crawler-shop-1"])"),
                             event(R"([")" + std::string(arn) + R"(other-bus/mustit-crawler-shop-1"])"),
                             event("[]", R"({"sellerId":"shop-1"})")}) {
        const auto seller = services::read_trigger_message(body);
        INFO(body);
        REQUIRE(seller);
        CHECK(seller->value() == "shop-1");
    }
}

TEST_CASE("trigger message: an event that does not say whose it is, is invalid") {
    const std::string rule = "arn:aws:events:r:1:rule/";
    for (const auto& [resources, says] : std::initializer_list<std::pair<std::string, std::string>>{
             {"[]", "/resources/0"},
             {R"([7])", "/resources/0"},
             {R"(["arn:aws:s3:::bucket"])", "/resources/0"},
             {R"([")" + rule + R"(somebody-elses"])", "no rule of a seller"},
             {R"([")" + rule + R"(mustit-crawler-.0123456789abcdef0123456789abcdef"])", "does not say whose"}}) {
        const auto seller = services::read_trigger_message(event(resources));
        INFO(resources);
        REQUIRE_FALSE(seller);
        CHECK(seller.error().code == Errc::invalid);
        CHECK(seller.error().detail.find(says) != std::string::npos);
    }
}

TEST_CASE("trigger message: what cannot be read is invalid and says why") {
    struct Broken {
        const char* body;
        const char* says;
    };
    for (const auto& [body, says] :
         {Broken{"", "not JSON"}, Broken{"{", "not JSON"}, Broken{"[]", "JSON object"}, Broken{"{}", "/sellerId"},
          Broken{R"({"sellerId":7})", "/sellerId"}, Broken{R"({"sellerId":" "})", "blank"}}) {
        const auto seller = services::read_trigger_message(body);
        INFO(body);
        REQUIRE_FALSE(seller);
        CHECK(seller.error().code == Errc::invalid);
        CHECK(seller.error().detail.find(says) != std::string::npos);
    }
}
