#include "trigger/trigger_message.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace crawler;

TEST_CASE("trigger message: names the seller, whatever else is in it") {
    const auto seller = services::read_trigger_message(R"({"sellerId":"셀러_1","more":[1,2]})");
    REQUIRE(seller);
    CHECK(seller->value() == "셀러_1");
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
