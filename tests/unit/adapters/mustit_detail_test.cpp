#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <random>

#include "adapters/mustit/mustit.hpp"
#include "codec/diff.hpp"
#include "codec/sha256.hpp"
#include "support/sample_answers.hpp"

using namespace crawler;
using namespace crawler::adapters::mustit;
using crawler::test::EditedAnswer;
using crawler::test::sample_answer;

namespace {

// Where the modules are in the sample.
const std::string banners = "/moduleList/0/data/";
const std::string info = "/moduleList/1/data/";
const std::string shipping = "/moduleList/5/data/items/0/data/";
const std::string described = "/moduleList/16/data/";

Facet detail(const std::string& body) {
    auto facet = read_detail(body);
    if (!facet) FAIL(facet.error().detail);
    return *std::move(facet);
}

std::string complaint(const EditedAnswer& answer) {
    const auto facet = read_detail(answer.text());
    if (facet) FAIL("it was read");
    CHECK(facet.error().code == Errc::invalid);
    return facet.error().detail;
}

struct Edit {
    std::string pointer;
    std::string json;   // another value
    std::string path;   // in the facet
    std::string after;  // its canonical form
};

const std::vector<Edit> every_field{
    {info + "sellerNo", R"("679")", "/sellerNo", "679"},
    {info + "sellerId", R"("other")", "/sellerId", R"("other")"},
    {info + "itemName", R"("새 \"이름\"")", "/itemName", R"("새 \"이름\"")"},
    {info + "brandName", R"("ETRO")", "/brandName", R"("ETRO")"},
    {info + "brandNameKr", R"("에트로")", "/brandNameKr", R"("에트로")"},
    {info + "brandCode", "154", "/brandCode", "154"},
    {info + "headerCategoryCode", R"("M")", "/headerCategoryCode", R"("M")"},
    {info + "headerCategory", R"("남성")", "/headerCategory", R"("남성")"},
    {info + "largeCategoryCode", "17", "/largeCategoryCode", R"("17")"},
    {info + "largeCategory", R"("의류")", "/largeCategory", R"("의류")"},
    {info + "mediumCategoryCode", R"("16r06")", "/mediumCategoryCode", R"("16r06")"},
    {info + "mediumCategory", R"("토트백")", "/mediumCategory", R"("토트백")"},
    {info + "smallCategoryCode", R"("16r05r01")", "/smallCategoryCode", R"("16r05r01")"},
    {info + "smallCategory", R"("미니")", "/smallCategory", R"("미니")"},
    {info + "normalPrice", R"("1,083,001")", "/normalPrice", "1083001"},
    {info + "sellingPrice", R"("4134224619")", "/sellingPrice", "4134224619"},
    {info + "discountPrice", "565101", "/discountPrice", "565101"},
    {info + "discountRate", R"("49")", "/discountRate", "49"},
    {info + "stock", "0", "/stock", "0"},
    {info + "isSoldOut", "true", "/isSoldOut", "true"},
    {banners + "images", R"(["a","b"])", "/images", R"(["a","b"])"},
    {shipping + "shippingType", R"("OVERSEAS")", "/shippingType", R"("OVERSEAS")"},
    {shipping + "shippingFee", R"("3,000")", "/shippingFee", "3000"},
    {shipping + "shippingFeeType", R"("PAID")", "/shippingFeeType", R"("PAID")"},
    {shipping + "isEachShippingFee", "true", "/isEachShippingFee", "true"},
    {shipping + "isDirectShipping", "true", "/isDirectShipping", "true"},
    {shipping + "isCustomsDuty", "true", "/isCustomsDuty", "true"},
    {shipping + "averageDeliveryDay/text", R"("2일")", "/averageDeliveryDay", R"("2일")"},
    {described + "itemStatus", R"("중고")", "/itemStatus", R"("중고")"},
    {described + "originCountry", R"("")", "/originCountry", R"("")"},
    {described + "shippingLocation", R"("서울")", "/shippingLocation", R"("서울")"},
    {described + "descriptionMarkUp", R"("<p>\n\u0001</p>")", "/descriptionMarkUp", R"("<p>\n\u0001</p>")"},
};

}  // namespace

// What digests stand on; see the listing.
TEST_CASE("mustit detail: the sample's facet has this digest, item and seller", "[mustit][detail]") {
    const auto facet = detail(sample_answer("detail.json"));

    CHECK(facet.item == 118005032);
    CHECK(facet.kind == FacetKind::detail);
    CHECK(facet.seller == *SellerId::parse("dmont"));
    CHECK(facet.canonical.size() == 2036);
    CHECK(facet.canonical.starts_with(
        R"({"averageDeliveryDay":"평균 배송 1일 소요","brandCode":153,"brandName":"Vivienne Westwood",)"));
    CHECK(facet.canonical.ends_with(R"("shippingType":"DOMESTIC","stock":3})"));
    CHECK(facet.digest.hex() == "f5c1753a02eadcb573cb25030811dfd2d1b6aaa9bc95ef65c2aa9183a38bfacb");
    CHECK(facet.digest == codec::sha256(facet.canonical));
}

TEST_CASE("mustit detail: every field counts, and shows in the diff", "[mustit][detail]") {
    const auto before = detail(sample_answer("detail.json"));
    for (const auto& edit : every_field) {
        CAPTURE(edit.pointer);
        const auto after = detail(EditedAnswer("detail.json").set(edit.pointer, edit.json).text());
        const auto changes = codec::diff(before.canonical, after.canonical);

        CHECK(after.digest != before.digest);
        REQUIRE(changes);
        REQUIRE(changes->changes().size() == 1);
        CHECK(changes->changes()[0].path == edit.path);
        CHECK(changes->changes()[0].after == edit.after);
    }
}

TEST_CASE("mustit detail: the table of this test knows every field there is", "[mustit][detail]") {
    EditedAnswer everything("detail.json");
    for (const auto& edit : every_field) everything.set(edit.pointer, edit.json);
    const auto all = codec::diff("", detail(everything.text()).canonical);

    REQUIRE(all);
    for (const auto& change : all->changes()) {
        CAPTURE(change.path);
        CHECK((change.path == "/itemNo" || std::ranges::count(every_field, change.path, &Edit::path) == 1));
    }
    CHECK(all->changes().size() == every_field.size() + 1);
}

TEST_CASE("mustit detail: images keep their order and repetition", "[mustit][detail]") {
    const auto facet = detail(EditedAnswer("detail.json").set(banners + "images", R"(["b","a","b"])").text());

    CHECK(facet.canonical.find(R"("images":["b","a","b"])") != std::string::npos);
}

TEST_CASE("mustit detail: what is volatile does not count", "[mustit][detail]") {
    const auto before = detail(sample_answer("detail.json"));
    for (const auto& [pointer, json] : std::vector<std::pair<std::string, std::string>>{
             {"/bottom/likeCount", "77"},
             {"/bottom", "null"},
             {"/nextApiUrl", R"("x")"},
             {info + "userDiscountInfo", R"({"purchasePrice":0})"},
             {info + "badgeList", R"([{"itemNo":5}])"},
             {info + "discountDetails", "[]"},
             {info + "countPriceComparison", "9"},
             {info + "isLowestPrice", "false"},
             {info + "catalogId", "1"},
             {info + "somethingNew", R"({"stock":[[]]})"},
             {banners + "timesales", R"([{"price":1}])"},
             {described + "sellerEvaluations", R"([{"score":5}])"},
             {"/moduleList/5/data/title", R"("x")"},
             {shipping + "averageDeliveryDay/focusText", R"("x")"},
             {"/moduleList/7/data/sellerReviewSummary/reviewCount", "14120"},
             {"/moduleList/7/data/sellerInfo", R"({"trustPoint":-1})"},
             {"/moduleList/8/data", "null"},
             {"/moduleList/9/data", "[]"},
             {"/moduleList/11/data/url", R"("/v1/other")"},
             {"/moduleList/15/data/1/count", "3"}}) {
        CAPTURE(pointer);
        CHECK(detail(EditedAnswer("detail.json").set(pointer, json).text()) == before);
    }
}

TEST_CASE("mustit detail: modules come in any order, with any other between them", "[mustit][detail]") {
    const auto before = detail(sample_answer("detail.json"));
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        EditedAnswer answer("detail.json");
        auto& modules = answer.at("/moduleList").as_array();
        std::mt19937_64 random(seed);
        for (std::size_t i = modules.size(); i > 1; --i) std::swap(modules[i - 1], modules[random() % i]);

        CHECK(detail(answer.text()) == before);
    }
}

namespace {

// The document with the members of every object in random order and random whitespace between everything.
std::string shuffled(const boost::json::value& value, std::mt19937_64& random) {
    const auto space = [&] { return std::string(random() % 3, " \n\t\r"[random() % 4]); };
    std::vector<std::string> parts;
    if (value.is_object()) {
        for (const auto& member : value.as_object())
            parts.push_back(boost::json::serialize(boost::json::string(member.key())) + space() + ":" + space() +
                            shuffled(member.value(), random));
        for (std::size_t i = parts.size(); i > 1; --i) std::swap(parts[i - 1], parts[random() % i]);
    } else if (value.is_array()) {
        for (const auto& element : value.as_array()) parts.push_back(shuffled(element, random));
    } else {
        return boost::json::serialize(value);
    }
    std::string text = value.is_object() ? "{" : "[";
    for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : ",") + space() + parts[i] + space();
    return text + (value.is_object() ? "}" : "]");
}

}  // namespace

TEST_CASE("mustit detail: members come in any order and with any whitespace", "[mustit][detail]") {
    const auto before = detail(sample_answer("detail.json"));
    EditedAnswer answer("detail.json");
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        CHECK(detail(shuffled(answer.at(""), random)) == before);
    }
}

TEST_CASE("mustit detail: escaped and plain characters are the same", "[mustit][detail]") {
    auto body = sample_answer("detail.json");
    const std::string plain = "\"케냐\"";
    body.replace(body.find(plain), plain.size(), R"("\ucf00\ub0d0")");

    CHECK(detail(body) == detail(sample_answer("detail.json")));
}

TEST_CASE("mustit detail: numbers as texts and texts as numbers are the same", "[mustit][detail]") {
    EditedAnswer answer("detail.json");
    answer.set(info + "itemNo", R"("118005032")").set(info + "normalPrice", R"("1,083,000")");
    answer.set(info + "sellingPrice", R"("621000.0")")
        .set(info + "stock", R"("3")")
        .set(info + "brandCode", R"("153")");
    answer.set(info + "largeCategoryCode", "16").set(info + "discountRate", R"("48")");
    answer.set(shipping + "shippingFee", R"("0")").set(described + "itemNo", R"("118005032")");

    CHECK(detail(answer.text()) == detail(sample_answer("detail.json")));
}

TEST_CASE("mustit detail: the optional fields may be missing", "[mustit][detail]") {
    EditedAnswer answer("detail.json");
    for (const std::string member : {"brandNameKr", "mediumCategoryCode", "mediumCategory"})
        answer.remove(info + member);
    answer.set(shipping + "averageDeliveryDay", "null");

    const auto facet = detail(answer.text());

    CHECK(facet.canonical.find("brandNameKr") == std::string::npos);
    CHECK(facet.canonical.find("averageDeliveryDay") == std::string::npos);
}

TEST_CASE("mustit detail: a required field that is missing is named", "[mustit][detail]") {
    const std::vector<std::string> optional{"/brandNameKr", "/mediumCategoryCode", "/mediumCategory",
                                            "/smallCategoryCode", "/smallCategory"};
    for (const auto& edit : every_field) {
        if (std::ranges::count(optional, edit.path) != 0) continue;
        CAPTURE(edit.pointer);
        CHECK(complaint(EditedAnswer("detail.json").remove(edit.pointer)) == edit.pointer + ": must be there");
        CHECK(
            complaint(EditedAnswer("detail.json").set(edit.pointer, "null")).starts_with(edit.pointer + ": must be "));
        CHECK(complaint(EditedAnswer("detail.json").set(edit.pointer, R"({"a":1})"))
                  .starts_with(edit.pointer + ": must be "));
    }
    CHECK(complaint(EditedAnswer("detail.json").remove(info + "itemNo")) == info + "itemNo: must be there");
}

TEST_CASE("mustit detail: a module that is missing or there twice is named", "[mustit][detail]") {
    CHECK(complaint(EditedAnswer("detail.json").remove("/moduleList/16")) ==
          "/moduleList: must hold ProductDetailInfoModule, found none");
    CHECK(complaint(EditedAnswer("detail.json").remove("/moduleList/5")) ==
          "/moduleList: must hold ShippingModule, found none");
    CHECK(complaint(EditedAnswer("detail.json").remove("/moduleList/1")) ==
          "/moduleList: must hold ProductInfoModule, found none");
    CHECK(complaint(EditedAnswer("detail.json").remove("/moduleList/0")) ==
          "/moduleList: must hold ProductBannersModule, found none");
    CHECK(complaint(EditedAnswer("detail.json").remove("/moduleList/5/data/items/0")) ==
          "/moduleList/5/data/items: must hold SHIPPING, found none");
    CHECK(complaint(EditedAnswer("detail.json").set("/moduleList/2/type", R"("ProductInfoModule")")) ==
          R"(/moduleList/2/type: must be there once for all, found "ProductInfoModule")");
    CHECK(complaint(EditedAnswer("detail.json").remove("/moduleList")) == "/moduleList: must be there");
}

TEST_CASE("mustit detail: a price that is none is refused where it stands", "[mustit][detail]") {
    for (const std::string member : {"normalPrice", "sellingPrice", "discountPrice"}) {
        for (const std::string bad : {"0", "-1", R"("")", R"("무료")", R"("62,1000")", R"("1.5")", "false"}) {
            CAPTURE(member, bad);
            CHECK(complaint(EditedAnswer("detail.json").set(info + member, bad)) ==
                  info + member + ": must be a positive price, found " + bad);
        }
    }
}

TEST_CASE("mustit detail: a name, code or type that is blank is refused where it stands", "[mustit][detail]") {
    for (const auto& pointer : {info + "sellerId", info + "itemName", info + "brandName", info + "headerCategoryCode",
                                info + "headerCategory", info + "largeCategoryCode", info + "largeCategory",
                                shipping + "shippingType", shipping + "shippingFeeType", banners + "images/0"}) {
        for (const std::string blank : {R"("")", R"("  ")"}) {
            CAPTURE(pointer, blank);
            CHECK(complaint(EditedAnswer("detail.json").set(pointer, blank)) ==
                  pointer + ": must be text that is not blank, found " + blank);
        }
    }
}

TEST_CASE("mustit detail: a number out of its range is refused where it stands", "[mustit][detail]") {
    const auto said = [](const std::string& pointer, const std::string& json) {
        return complaint(EditedAnswer("detail.json").set(pointer, json));
    };

    CHECK(said(info + "discountRate", "101") == info + "discountRate: must be a whole number from 0 to 100, found 101");
    for (const auto& pointer : {info + "sellerNo", info + "itemNo", info + "brandCode", described + "itemNo"})
        CHECK(said(pointer, "0") == pointer + ": must be a whole number above zero, found 0");
    for (const auto& pointer : {info + "stock", shipping + "shippingFee"})
        CHECK(said(pointer, "-1") == pointer + ": must be a whole number, zero or above, found -1");
}

TEST_CASE("mustit detail: two modules about different items are refused", "[mustit][detail]") {
    CHECK(
        complaint(EditedAnswer("detail.json").set(described + "itemNo", "5")) ==
        "/moduleList: itemNo must be the same in ProductInfoModule and ProductDetailInfoModule, found 118005032 and 5");
}
