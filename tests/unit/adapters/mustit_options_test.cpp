#include <catch2/catch_test_macros.hpp>

#include "adapters/mustit/mustit.hpp"
#include "codec/diff.hpp"
#include "codec/sha256.hpp"
#include "support/sample_answers.hpp"

using namespace crawler;
using namespace crawler::adapters::mustit;
using crawler::test::EditedAnswer;
using crawler::test::sample_answer;

namespace {

constexpr ItemNo item = 117005038;

Facet options(const std::string& body) {
    auto facet = read_options(body, item);
    if (!facet) FAIL(facet.error().detail);
    return *std::move(facet);
}

std::string complaint(const EditedAnswer& answer) {
    const auto facet = read_options(answer.text(), item);
    if (facet) FAIL("it was read");
    CHECK(facet.error().code == Errc::invalid);
    return facet.error().detail;
}

}  // namespace

// What digests stand on; see the listing.
TEST_CASE("mustit options: the sample's facet has this text and digest", "[mustit][options]") {
    const auto facet = options(sample_answer("options.json"));

    CHECK(facet.item == item);
    CHECK(facet.kind == FacetKind::option);
    CHECK_FALSE(facet.seller);
    CHECK(facet.canonical == R"({"4134224619":{"color":"","size":"US 4","sizeGuide":"","stock":1},)"
                             R"("4134224622":{"color":"","size":"US 6","sizeGuide":"","stock":0},)"
                             R"("4134224626":{"color":"","size":"US 8","sizeGuide":"","stock":0},)"
                             R"("4134224627":{"color":"","size":"US 10","sizeGuide":"","stock":0},)"
                             R"("4134224628":{"color":"","size":"US 12","sizeGuide":"","stock":0}})");
    CHECK(facet.digest.hex() == "d5b8dea3982987b24b91fde61d41a8115c6aa82f2fd1b04f1229b328910b2cf6");
}

TEST_CASE("mustit options: no options is a facet with nothing in it", "[mustit][options]") {
    const auto facet = options("[]");

    CHECK(facet.item == item);
    CHECK(facet.canonical == "{}");
    CHECK(facet.digest == codec::sha256("{}"));
}

TEST_CASE("mustit options: the order of the answer does not matter", "[mustit][options]") {
    EditedAnswer answer("options.json");
    auto& all = answer.at("").as_array();
    std::swap(all[0], all[4]);
    std::swap(all[1], all[2]);

    CHECK(options(answer.text()) == options(sample_answer("options.json")));
}

TEST_CASE("mustit options: numbers of different length are sorted as keys are", "[mustit][options]") {
    const auto option = [](const std::string& number) {
        return R"({"optionNo":)" + number + R"(,"itemNo":117005038,"color":"","size":"S","stock":1,"sizeGuide":""})";
    };

    const auto facet = options("[" + option("9") + "," + option("10") + "]");

    CHECK(facet.canonical == R"({"10":{"color":"","size":"S","sizeGuide":"","stock":1},)"
                             R"("9":{"color":"","size":"S","sizeGuide":"","stock":1}})");
    CHECK(codec::diff("", facet.canonical));
}

TEST_CASE("mustit options: every field counts, and shows in the diff under its option", "[mustit][options]") {
    const auto before = options(sample_answer("options.json"));
    for (const auto& [member, json] : std::vector<std::pair<std::string, std::string>>{
             {"color", R"("블랙")"}, {"size", R"("US 5")"}, {"stock", R"("1,000")"}, {"sizeGuide", R"("작게 나옴")"}}) {
        CAPTURE(member);
        const auto after = options(EditedAnswer("options.json").set("/0/" + member, json).text());
        const auto changes = codec::diff(before.canonical, after.canonical, "/option");

        CHECK(after.digest != before.digest);
        REQUIRE(changes);
        REQUIRE(changes->changes().size() == 1);
        CHECK(changes->changes()[0].path == "/option/4134224619/" + member);
    }
    CHECK(options(EditedAnswer("options.json").set("/0/shippingType", "1").text()) == before);
}

TEST_CASE("mustit options: another item's option is refused", "[mustit][options]") {
    CHECK(complaint(EditedAnswer("options.json").set("/3/itemNo", "4134224619")) ==
          "/3/itemNo: must be the item that was asked for, 117005038, found 4134224619");
}

TEST_CASE("mustit options: items are told apart beyond 32 bits", "[mustit][options]") {
    CHECK(complaint(EditedAnswer("options.json").set("/3/itemNo", std::to_string(item + (ItemNo{1} << 32)))) ==
          "/3/itemNo: must be the item that was asked for, 117005038, found 4411972334");
}

TEST_CASE("mustit options: the same option twice is refused", "[mustit][options]") {
    CHECK(complaint(EditedAnswer("options.json").set("/4/optionNo", R"("4134224622")")) ==
          "/4/optionNo: must be there once, found 4134224622");
}

TEST_CASE("mustit options: what is missing or wrong is named", "[mustit][options]") {
    for (const std::string member : {"optionNo", "itemNo", "color", "size", "stock", "sizeGuide"}) {
        CHECK(complaint(EditedAnswer("options.json").remove("/2/" + member)) == "/2/" + member + ": must be there");
        CHECK(complaint(EditedAnswer("options.json").set("/2/" + member, "null"))
                  .starts_with("/2/" + member + ": must be "));
    }
    CHECK(complaint(EditedAnswer("options.json").set("/2/stock", "-1")) ==
          "/2/stock: must be a whole number, zero or above, found -1");
    CHECK(complaint(EditedAnswer("options.json").set("/2/optionNo", "0")) ==
          "/2/optionNo: must be a whole number above zero, found 0");
    CHECK(read_options("{}", item).error().detail == "the answer: must be an array, found an object");
    CHECK(read_options("[null]", item).error().detail == "/0: must be an object, found null");
}
