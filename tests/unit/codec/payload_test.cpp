#include "codec/payload.hpp"

#include <boost/json.hpp>
#include <catch2/catch_test_macros.hpp>

#include "codec/diff.hpp"
#include "codec/sha256.hpp"

using namespace crawler;
using namespace crawler::codec;

namespace {

using namespace std::chrono_literals;

const TimePoint monday{std::chrono::sys_days{2026y / 11 / 16} + 9h + 1us};

ProductPayload a_product_payload() {
    return {.event = {.type = ProductEventType::updated,
                      .reason = ProductEventReason::detail_changed,
                      .item = 118005032,
                      .seller = *SellerId::parse("머스트잇"),
                      .version = 4294967297,
                      .diff = FieldDiff({{"/detail/stock", "2", "3"},
                                         {"/option/4134224619/size", std::nullopt, R"("US \"4\"")"},
                                         {"/detail/images", R"(["a"])", std::nullopt}}),
                      .occurred_at = monday},
            .facets = {R"({"itemNo":118005032,"price":545600})", R"({"itemName":"백팩 \"},{","stock":3})", "{}"}};
}

SchedulePayload a_schedule_payload() {
    return {.rule_name = "mustit-crawler-dmont",
            .schedule_expression = "rate(1 day)",
            .target_arn = "arn:aws:sqs:ap-northeast-2:123456789012:trigger",
            .seller = "dmont"};
}

}  // namespace

TEST_CASE("schedule payload: what no rule could have as name or rate is refused by its pointer") {
    const auto detail_of = [](const std::string& name, const std::string& rate) {
        return read_schedule_payload(write_schedule_payload({{}, name, rate, "arn:aws:sqs:x", "dmont"})).error().detail;
    };
    CHECK(detail_of("가방", "rate(1 day)") == "schedule payload: /ruleName: '가방' cannot be a rule's name");
    CHECK(detail_of("rule", "rate(99 days)").starts_with("schedule payload: /scheduleExpression: 'rate(99 days)'"));
}

TEST_CASE("product payload: it is the JSON that the product server is promised", "[codec][payload]") {
    const auto json = boost::json::parse(write_product_payload(a_product_payload())).as_object();

    CHECK(json.size() == 8);
    CHECK(json.at("eventType").as_string() == "PRODUCT_UPDATED");
    CHECK(json.at("itemNo").as_int64() == 118005032);
    CHECK(json.at("sellerId").as_string() == "머스트잇");
    CHECK(json.at("version").as_int64() == 4294967297);
    CHECK(json.at("reason").as_string() == "DETAIL_CHANGED");
    CHECK(json.at("occurredAt").as_string() == "2026-11-16T09:00:00.000001Z");
    CHECK(json.at("changedFields") == boost::json::parse(R"([{"path":"/detail/images","before":["a"],"after":null},
                                 {"path":"/detail/stock","before":2,"after":3},
                                 {"path":"/option/4134224619/size","before":null,"after":"US \"4\""}])"));
    CHECK(json.at("productData") == boost::json::parse(R"({"listing":{"itemNo":118005032,"price":545600},
                                                          "detail":{"itemName":"백팩 \"},{","stock":3},"option":{}})"));
}

TEST_CASE("product payload: a facet that is not known is not there", "[codec][payload]") {
    auto payload = a_product_payload();
    payload.facets = {};
    payload.event.diff = {};

    CHECK(write_product_payload(payload) == R"({"changedFields":[],"eventType":"PRODUCT_UPDATED","itemNo":118005032,)"
                                            R"("occurredAt":"2026-11-16T09:00:00.000001Z","productData":{},)"
                                            R"("reason":"DETAIL_CHANGED","sellerId":"머스트잇","version":4294967297})");
}

TEST_CASE("product payload: what was written is read back", "[codec][payload]") {
    auto payload = a_product_payload();
    CHECK(*read_product_payload(write_product_payload(payload)) == payload);

    payload.facets[1].clear();
    payload.event.diff = {};
    CHECK(*read_product_payload(write_product_payload(payload)) == payload);
}

TEST_CASE("product payload: of a product that came or went the diff is not written twice, but made of its facets again",
          "[codec][payload]") {
    auto payload = a_product_payload();
    const FieldDiff content({{"/listing/itemNo", std::nullopt, "118005032"},
                             {"/listing/price", std::nullopt, "545600"},
                             {"/detail/itemName", std::nullopt, R"("백팩 \"},{")"},
                             {"/detail/stock", std::nullopt, "3"},
                             {"/option", std::nullopt, "{}"}});

    payload.event.type = ProductEventType::created;
    payload.event.diff = content;
    CHECK(write_product_payload(payload).starts_with(R"({"changedFields":[],)"));
    CHECK(*read_product_payload(write_product_payload(payload)) == payload);

    payload.event.type = ProductEventType::deleted;
    payload.event.diff = content.inverse();
    CHECK(*read_product_payload(write_product_payload(payload)) == payload);
}

TEST_CASE("product payload: it is made of the event and the product's facets", "[codec][payload]") {
    const auto seller = *SellerId::parse("머스트잇");
    auto product = Product::discover(118005032, seller, monday);
    const auto event = a_product_payload().event;
    const std::string options = R"({"4134224619":{"stock":1}})";
    const Facet facet{118005032, FacetKind::option, options, sha256(options), monday};
    REQUIRE(product.absorb(facet, [](auto before, auto after) { return diff(before, after); }, monday));

    const auto payload = payload_of(event, product);

    CHECK(payload.event == event);
    CHECK(payload.facets == std::array<std::string, 3>{"", "", options});
}

TEST_CASE("product payload: cut short at any byte it is invalid", "[codec][payload]") {
    const auto whole = write_product_payload(a_product_payload());
    for (std::size_t length = 0; length < whole.size(); ++length) {
        CAPTURE(length);
        const auto read = read_product_payload(std::string_view(whole).substr(0, length));
        REQUIRE_FALSE(read);
        CHECK(read.error().code == Errc::invalid);
    }
    CHECK_FALSE(read_product_payload(whole + " "));
}

TEST_CASE("product payload: a member that is missing, strange or of another type is named", "[codec][payload]") {
    const auto whole = write_product_payload(a_product_payload());
    const auto replaced = [&](std::string_view from, std::string_view to) {
        auto text = whole;
        const auto at = text.find(from);
        if (at == std::string::npos) FAIL("no " << from);
        const auto read = read_product_payload(text.replace(at, from.size(), to));
        return read ? std::string("read") : read.error().detail;
    };
    const auto wrong = [](const std::string& place) {
        return "product payload: " + place + " is not as it was written";
    };

    CHECK(replaced(R"("itemNo":118005032,"occurredAt")", R"("itemNo":"x","occurredAt")") == wrong("/itemNo"));
    CHECK(replaced(R"("eventType":"PRODUCT_UPDATED")", R"("eventType":5)") == wrong("/eventType"));
    CHECK(replaced(R"("eventType":"PRODUCT_UPDATED")", R"("eventType":"PRODUCT_SOLD")") == wrong("/eventType"));
    CHECK(replaced(R"("eventType":"PRODUCT_UPDATED")", R"("eventType":"PRODUCT_CREATED")") == wrong("/changedFields"));
    CHECK(replaced(R"("occurredAt":"2026-11-16T)", R"("occurredAt":"2026-13-16T)") == wrong("/occurredAt"));
    CHECK(replaced(R"("occurredAt":"2026-11-16T09:00:00.000001Z")", R"("occurredAt":0)") == wrong("/occurredAt"));
    CHECK(replaced(R"("sellerId":"머스트잇")", R"("sellerId":null)") == wrong("/sellerId"));
    CHECK(replaced(R"("sellerId":"머스트잇")", R"("sellerId":" ")") == wrong("/sellerId"));
    CHECK(replaced(R"("version":4294967297)", R"("version":-1)") == wrong("/version"));
    CHECK(replaced(R"("reason":"DETAIL_CHANGED")", R"("reason":"")") == wrong("/reason"));
    CHECK(replaced(R"("path":"/detail/stock")", R"("path":1)") == wrong("/changedFields"));
    CHECK(replaced(R"("after":3,)", "") == wrong("/changedFields"));
    CHECK(replaced(R"("changedFields":[)", R"("changedFields":[1,)") == wrong("/changedFields"));
    CHECK(replaced(R"("option":{})", R"("other":{})") == wrong("/productData"));
    CHECK(replaced(R"("reason":"DETAIL_CHANGED",)", "") == wrong("the whole"));
    CHECK(replaced(R"("version":4294967297)", R"("version":1,"x":2)") == wrong("the whole"));
}

TEST_CASE("product payload: a product that was created with facets that are not canonical is refused",
          "[codec][payload]") {
    auto payload = a_product_payload();
    payload.event.type = ProductEventType::created;
    payload.facets[0] = R"({"b":1,"a":2})";

    CHECK_FALSE(read_product_payload(write_product_payload(payload)));
}

TEST_CASE("schedule payload: it is the JSON that the scheduler relay reads", "[codec][payload]") {
    CHECK(
        write_schedule_payload(a_schedule_payload()) ==
        R"x({"eventType":"SCHEDULE_CREATED","input":{"sellerId":"dmont"},"ruleName":"mustit-crawler-dmont","scheduleExpression":"rate(1 day)",)x"
        R"("targetArn":"arn:aws:sqs:ap-northeast-2:123456789012:trigger"})");
}

TEST_CASE("schedule payload: what was written is read back, quotes and Korean included", "[codec][payload]") {
    auto payload = a_schedule_payload();
    payload.seller = "셀러 \"하나\"\n";

    CHECK(*read_schedule_payload(write_schedule_payload(payload)) == payload);
}

TEST_CASE("schedule payload: what the rule fires at need not be named", "[codec][payload]") {
    auto payload = a_schedule_payload();
    payload.type = SchedulerOutboxType::schedule_deleted;
    payload.target_arn.clear();
    const auto text = write_schedule_payload(payload);

    CHECK(text == R"x({"eventType":"SCHEDULE_DELETED","input":{"sellerId":"dmont"},"ruleName":"mustit-crawler-dmont",)x"
                  R"x("scheduleExpression":"rate(1 day)"})x");
    CHECK(*read_schedule_payload(text) == payload);
}

TEST_CASE("schedule payload: whitespace, order and more members do not matter", "[codec][payload]") {
    const auto read =
        read_schedule_payload(R"x( {"targetArn": "arn:aws:sqs:ap-northeast-2:123456789012:trigger", "more": [1],
        "scheduleExpression": "rate(1 day)", "eventType": "SCHEDULE_CREATED", "input": {"sellerId": "dmont"}, "ruleName": "mustit-crawler-dmont"} )x");

    REQUIRE(read);
    CHECK(*read == a_schedule_payload());
}

TEST_CASE("schedule payload: what is missing, blank or no text is named by its pointer", "[codec][payload]") {
    const auto said = [](std::string_view json) {
        const auto read = read_schedule_payload(json);
        if (read) FAIL(json << " was read");
        CHECK(read.error().code == Errc::invalid);
        return read.error().detail;
    };

    CHECK(said("[]") == "schedule payload: the answer: must be an object, found an array");
    CHECK(said("mustit").starts_with("schedule payload: the answer: must be JSON"));
    CHECK(said(R"({"eventType":"SCHEDULE_CREATED","scheduleExpression":"e","input":{"sellerId":"s"}})") ==
          "schedule payload: /ruleName: must be there");
    CHECK(said(R"({"ruleName":"r","scheduleExpression":"e","input":{"sellerId":"s"}})") ==
          "schedule payload: /eventType: must be there");
    CHECK(said(R"({"eventType":"SOLD","ruleName":"r","scheduleExpression":"e","input":{"sellerId":"s"}})") ==
          R"(schedule payload: /eventType: "SOLD" is none of SCHEDULE_CREATED, SCHEDULE_UPDATED and SCHEDULE_DELETED)");
    CHECK(said(R"({"eventType":"t","ruleName":" ","scheduleExpression":"e","input":{"sellerId":"s"}})") ==
          R"(schedule payload: /ruleName: must be text that is not blank, found " ")");
    CHECK(said(R"({"eventType":"t","ruleName":"r","scheduleExpression":null,"input":{"sellerId":"s"}})") ==
          "schedule payload: /scheduleExpression: must be text that is not blank, found null");
    CHECK(said(R"({"eventType":"t","ruleName":"r","scheduleExpression":"e","input":"s"})") ==
          R"(schedule payload: /input: must be an object, found "s")");
    CHECK(said(R"({"eventType":"t","ruleName":"r","scheduleExpression":"e","input":{}})") ==
          "schedule payload: /input/sellerId: must be there");
}
