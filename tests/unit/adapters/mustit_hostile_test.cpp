// Answers that are cut, bent or swollen: always an error or a facet, never a crash.
#include <catch2/catch_test_macros.hpp>
#include <random>

#include "adapters/mustit/mustit.hpp"
#include "support/sample_answers.hpp"

using namespace crawler;
using namespace crawler::adapters::mustit;
using crawler::test::EditedAnswer;
using crawler::test::sample_answer;
using namespace std::string_literals;

namespace {

// Each reader on the same text; true if any of them could read it.
bool read_by_any(std::string_view body) {
    const auto one = read_listing(body);
    const auto two = read_search(body);
    const auto three = read_detail(body);
    const auto four = read_options(body, 117005038);
    return one || two || three || four;
}

}  // namespace

TEST_CASE("mustit: an answer that is cut short at any byte is an error", "[mustit]") {
    for (const std::string file : {"detail.json", "options.json", "search.json"}) {
        const auto whole = sample_answer(file);
        const auto last = whole.find_last_of("]}");
        for (std::size_t length = 0; length <= last; ++length) {
            // A copy of exactly that size, so that a read beyond it is seen.
            const std::vector<char> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
            const std::string_view body(cut.data(), cut.size());
            const bool was_read = file == "detail.json"    ? static_cast<bool>(read_detail(body))
                                  : file == "options.json" ? static_cast<bool>(read_options(body, 117005038))
                                                           : static_cast<bool>(read_search(body));
            if (was_read) FAIL_CHECK(file << " was read from its first " << length << " bytes");
        }
    }
}

TEST_CASE("mustit: an answer with a byte changed is read or refused, never worse", "[mustit]") {
    const auto whole = sample_answer("detail.json");
    const auto bytes = "{}[]\",:\\0e-\0\xff\xc3 "s;
    for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        auto body = whole;
        body[random() % body.size()] = bytes[random() % bytes.size()];

        const auto facet = read_detail(body);

        if (facet) CHECK(facet->item > 0);
        if (!facet) CHECK(facet.error().code == Errc::invalid);
    }
}

TEST_CASE("mustit: what is not an answer at all is refused by all", "[mustit]") {
    for (const std::string body : {"", " ", "null", "0", "\"\"", "{}", "<!DOCTYPE html><html></html>", "[[[[",
                                   "{\"a\":", "true", R"({"error":{"code":500}})", R"({"moduleList":{}})", R"([1])"}) {
        CAPTURE(body);
        CHECK_FALSE(read_by_any(body));
    }
}

TEST_CASE("mustit: something after the answer is refused", "[mustit]") {
    CHECK_FALSE(read_detail(sample_answer("detail.json") + "x"));
    CHECK_FALSE(read_detail(sample_answer("detail.json") + "{}"));
    CHECK(read_detail(sample_answer("detail.json") + "\n\n "));
}

TEST_CASE("mustit: nesting beyond the limit is refused, also in what nobody wants", "[mustit]") {
    EditedAnswer answer("detail.json");
    const std::string deep = std::string(100, '[') + std::string(100, ']');
    auto body = sample_answer("detail.json");
    const std::string place = "\"badgeList\": []";
    body.replace(body.find(place), place.size(), "\"badgeList\": " + deep);

    const auto refused = read_detail(body);

    REQUIRE_FALSE(refused);
    CHECK(refused.error().detail == "/moduleList/1/data: must not be nested deeper than 64");
    CHECK(read_detail(body, {.depth = 200}));
}

TEST_CASE("mustit: a listing of many items is read whole", "[mustit]") {
    EditedAnswer answer("minishop.json");
    const auto item = answer.at("/items/0");
    auto& items = answer.at("/items").as_array();
    items.clear();
    for (std::int64_t i = 0; i < 2000; ++i) {
        auto copy = item;
        copy.as_object()["itemNo"] = 4134224619 + i;
        items.push_back(std::move(copy));
    }

    const auto page = read_listing(answer.text());

    REQUIRE(page);
    REQUIRE(page->facets.size() == 2000);
    CHECK(page->facets[1999].item == 4134224619 + 1999);
    CHECK(page->facets[0].digest != page->facets[1].digest);
}

TEST_CASE("mustit: a description of a megabyte is kept whole", "[mustit]") {
    EditedAnswer answer("detail.json");
    std::string long_text;
    while (long_text.size() < 1000000) long_text += "<p align=\"center\">설명</p>\n";
    answer.at("/moduleList/16/data/descriptionMarkUp") = long_text;

    const auto facet = read_detail(answer.text());

    REQUIRE(facet);
    CHECK(facet->canonical.size() > long_text.size());
}
